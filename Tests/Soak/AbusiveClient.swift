import Shared
import TestSupport

/// A client that breaks the server's limits in one way, is closed for it, and reconnects.
final class AbusiveClient {
  enum Abuse: CaseIterable {
    /// Sends lines without a pause.
    case flood
    /// Sends bytes without an LF.
    case noLine
    /// Requests much output and does not read it.
    case noReading
    /// Sends random bytes.
    case nonsense
    /// Invites players, declines, opens codes and guesses them, and takes all of it back.
    case requests
  }

  private static let pings = Array(String(repeating: "ping\n", count: 200).utf8)
  private static let requests = Array(
    """
    start "ann 0" gomoku
    cancel
    decline
    open connect
    cancel
    decline "bob 0"
    join 222222
    start bot ultimate easy
    leave

    """.utf8)
  private static let helps = Array(String(repeating: "help\n", count: 390).utf8)

  /// How often the server closed it, by the code of its `bye`.
  private(set) var byes: [String: Int] = [:]
  private let abuse: Abuse
  private let random: RandomSource
  private let session: ReconnectingClient

  init(_ abuse: Abuse, loop: EventLoop, port: UInt16, random: RandomSource) {
    self.abuse = abuse
    self.random = random
    session = ReconnectingClient(loop: loop, port: port, pause: .milliseconds(500))
    session.onEvent = { [weak self] event in self?.take(event) }
    session.begin()
  }

  /// Resets the connection, and does not reconnect.
  func stop() {
    session.end()
    session.client?.cut(.reset)
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello:
      if abuse == .requests { session.client?.send(.login(name: nil, password: nil)) }
      send()
    case .bye(let code, _, _, _): byes[code.rawValue, default: 0] += 1
    default: break
    }
  }

  private func send() {
    guard let client = session.client else { return }
    switch abuse {
    case .flood: client.send(Self.pings)
    case .noLine: client.send(Array(repeating: 0x78, count: 1_000))
    case .noReading:
      client.isReading = false
      client.send(Self.helps)
      // The server closes after 10 s. Its output can still be read then.
      return session.after(.seconds(12)) { [weak self] in self?.session.client?.isReading = true }
    case .requests: client.send(Self.requests)
    case .nonsense: client.send((0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
    session.after(.milliseconds(20)) { [weak self] in
      // The next connection starts a sequence of its own.
      if let self, session.client === client { send() }
    }
  }
}
