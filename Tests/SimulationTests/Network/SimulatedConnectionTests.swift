import Shared
import TestSupport
import Testing

/// A simulated connection keeps the contract of `Connection`.
@Suite struct SimulatedConnectionTests {
  private let clock = ManualTimers()
  private let network: SimulatedNetwork

  init() {
    network = SimulatedNetwork(random: SeededRandom(seed: 1), clock: { [clock] in clock.now })
  }

  @Test func `onClose is called when both ends have ended`() {
    let (client, server) = network.makeLink().open()
    var closings = 0
    server.onClose = { closings += 1 }
    server.send(Array("bye\n".utf8).span)
    server.close()
    #expect(closings == 0)
    client.close()
    run(for: .seconds(60))
    #expect(closings == 1)
  }

  @Test(arguments: [true, false])
  func `a peer that does not end delays onClose for a limited time`(isReading: Bool) {
    let (client, server) = network.makeLink().open()
    client.isReading = isReading
    var closings = 0
    server.onClose = { closings += 1 }
    server.send(Array("bye\n".utf8).span)
    server.close()
    run(for: .seconds(60))
    #expect(closings == 1)
  }

  @Test func `reset calls onClose once, for a closed connection too`() {
    for isClosedBefore in [false, true] {
      let (client, server) = network.makeLink().open()
      client.isReading = false
      var closings = 0
      server.onClose = { closings += 1 }
      if isClosedBefore { server.close() }
      server.reset()
      #expect(closings == 1)
      run(for: .seconds(60))
      server.reset()
      #expect(closings == 1)
      #expect(client.isClosed)
    }
  }

  @Test func `a failure calls onClose, for a closed connection too`() {
    for isClosedBefore in [false, true] {
      let link = network.makeLink()
      let (client, server) = link.open()
      var closings = 0
      server.onClose = { closings += 1 }
      link.cut(client: .zero, server: .seconds(30))
      if isClosedBefore { server.close() }
      run(for: .seconds(5))
      #expect(closings == 0)
      run(for: .seconds(60))
      #expect(closings == 1)
      #expect(client.isClosed && server.isClosed)
    }
  }

  private func run(for duration: Duration) {
    let end = clock.now + duration
    while let next = network.next, next <= end {
      clock.advance(by: max(.zero, next - clock.now))
      network.run()
      network.endTurn()
    }
    clock.advance(by: max(.zero, end - clock.now))
  }
}
