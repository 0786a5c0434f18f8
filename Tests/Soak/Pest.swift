import Shared
import TestSupport

/// Somebody who gives the server more than it need bear, is sent away for it, and comes back.
final class Pest {
  enum Way: CaseIterable {
    /// Lines without end.
    case flood
    /// Bytes that are no line, without end.
    case noLine
    /// Asks for much and reads nothing of it.
    case noReading
    /// Lines without sense.
    case nonsense
  }

  private static let pings = Array(String(repeating: "ping\n", count: 200).utf8)
  private static let helps = Array(String(repeating: "help\n", count: 390).utf8)

  /// How often it was sent away, by the goodbye's code.
  private(set) var goodbyes: [String: Int] = [:]
  private let way: Way
  private let random: RandomSource
  private let visits: Visits

  init(_ way: Way, loop: EventLoop, port: UInt16, random: RandomSource) {
    self.way = way
    self.random = random
    visits = Visits(loop: loop, port: port, pause: .milliseconds(500))
    visits.onEvent = { [weak self] event in self?.take(event) }
    visits.begin()
  }

  /// Goes without a word.
  func stop() {
    visits.end()
    visits.client?.cut(.reset)
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello: pester()
    case .bye(let code, _, _): goodbyes[code.rawValue, default: 0] += 1
    default: break
    }
  }

  private func pester() {
    guard let client = visits.client else { return }
    switch way {
    case .flood: client.send(Self.pings)
    case .noLine: client.send(Array(repeating: 0x78, count: 1_000))
    case .noReading:
      client.isReading = false
      client.send(Self.helps)
      // The server gives up after 10 s; what it has said then can still be read.
      return visits.after(.seconds(12)) { [weak self] in self?.visits.client?.isReading = true }
    case .nonsense: client.send((0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
    visits.after(.milliseconds(20)) { [weak self] in
      // The next connection pesters by itself.
      if let self, visits.client === client { pester() }
    }
  }
}
