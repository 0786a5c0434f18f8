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

/// What honest clients noticed of an attack.
final class HonestMetrics {
  /// Pings and logins that begin while this is true are measured.
  var isMeasuring = false
  private(set) var pings = Latencies()
  private(set) var logins = Latencies()
  /// Games that were played to their end.
  private(set) var games = 0
  /// Harm that honest play does not explain: how often, by reason.
  private(set) var lostGames: [String: Int] = [:]
  private(set) var closedConnections: [String: Int] = [:]
  private(set) var refusals: [String: Int] = [:]
  /// Lines that do not follow from those before them.
  private(set) var badLines: [String] = []
  /// Remarks that each player received.
  private(set) var remarks: [String: Int] = [:]

  func pingDidTake(_ time: Duration) { pings.add(time) }
  func loginDidTake(_ time: Duration) { logins.add(time) }
  func gameDidEnd() { games += 1 }
  func didLoseGame(_ reason: String) { lostGames[reason, default: 0] += 1 }
  func wasClosed(_ reason: String) { closedConnections[reason, default: 0] += 1 }
  func wasRefused(_ code: String) { refusals[code, default: 0] += 1 }
  func didReceiveRemark(_ name: String) { remarks[name, default: 0] += 1 }
  func didReceiveBadLine(_ description: String) { badLines.append(description) }
}

/// A series of response times.
struct Latencies {
  private var all: [Duration] = []

  var count: Int { all.count }
  var max: Duration? { all.max() }

  mutating func add(_ latency: Duration) { all.append(latency) }

  /// The response time that this share of all does not exceed; `nil` if there are none.
  func quantile(_ share: Double) -> Duration? {
    guard !all.isEmpty else { return nil }
    let sorted = all.sorted()
    return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

extension Duration {
  /// For a table: "85 µs", "1.2 ms", "12 ms", "3.4 s".
  var brief: String {
    let milliseconds = Double(attoseconds) / 1e15
    if milliseconds < 0.1 { return "\(Int((milliseconds * 1_000).rounded())) µs" }
    if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
    if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }
}
