import Shared
import TestSupport

/// Code that attacks the server.
protocol Attacker: AnyObject {
  func begin()
  /// Starts nothing more. Connections stay open until the attacker's process ends.
  func stop()
}

/// What an attacker works with: the loop, the server's port, and counters.
final class AttackerContext {
  /// No attack opens more connections than this.
  static let maxConnections = 1_000_000

  let loop: EventLoop
  private let port: UInt16
  private var connections = 0
  /// Lines received, by type; `error` and `bye` with their code.
  private var received: [String: Int] = [:]

  init(loop: EventLoop, port: UInt16) {
    self.loop = loop
    self.port = port
  }

  /// Opens a connection from the attacker's address; `nil` after `maxConnections`.
  func connect(receiveBuffer: Int32? = nil) -> AttackerConnection? {
    guard connections < Self.maxConnections else { return nil }
    connections += 1
    let connection = BoundConnection(
      loop: loop, from: .attacker, port: port, receiveBuffer: receiveBuffer)
    return AttackerConnection(connection, context: self)
  }

  /// Opens a connection for an attacker that follows the protocol. Not bounded: there are few.
  func connectClient() -> WireClient {
    connections += 1
    return WireClient(BoundConnection(loop: loop, from: .attacker, port: port))
  }

  func count(_ kind: String) { received[kind, default: 0] += 1 }

  var report: AttackerReport {
    let most = received.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6)
    let kinds = most.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return AttackerReport(
      receivedLines: received.values.reduce(0, +),
      summary: "\(connections) connections; received: \(kinds.isEmpty ? "nothing" : kinds)")
  }
}
