import Shared
import TestSupport

/// What honest clients work with: the loop, the server, and metrics that they share.
struct HonestContext {
  let loop: EventLoop
  let server: ServerUnderTest
  let metrics = HonestMetrics()
  private let random = RandomSource()

  init(loop: EventLoop, server: ServerUnderTest) {
    self.loop = loop
    self.server = server
  }

  func connect(from address: LoopbackAddress) -> WireClient {
    WireClient(BoundConnection(loop: loop, from: address, port: server.port))
  }

  func choose(_ range: Range<Int>) -> Int {
    var random = random
    return Int.random(in: range, using: &random)
  }

  func choose<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[choose(elements.indices)]
  }
}
