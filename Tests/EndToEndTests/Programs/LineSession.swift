import Foundation
import Shared

/// A connection for a test that types lines to the server and reads its lines.
protocol LineSession: AnyObject {
  func type(_ line: String) throws
  /// `nil` once the server has closed.
  func readLine() throws -> String?
  /// Ends the input.
  func endInput() throws
}

/// Does what `nc` does, without it.
final class SocketSession: LineSession {
  private let loop: EventLoop
  private var connection: (any Connection)?
  private var failure: ConnectError?
  private var received: [UInt8] = []
  private var hasEnded = false

  init(port: String) throws {
    loop = try EventLoop()
    _ = Connector(loop: loop, host: "127.0.0.1", port: UInt16(port) ?? 0) { [unowned self] in
      switch $0 {
      case .success(let connection):
        self.connection = connection
        connection.delegate = self
      case .failure(let error):
        failure = error
      }
    }
    try loop.turn(until: "the connection succeeds or fails") { connection != nil || failure != nil }
    if let failure { throw failure }
  }

  func type(_ line: String) throws {
    connection?.send(Array("\(line)\n".utf8).span)
    try loop.turn(wait: .zero)
  }

  func endInput() {}

  /// Loses the connection.
  func cut() { connection?.close() }

  func readLine() throws -> String? {
    try loop.turn(until: "the server sends a line, or ends") {
      hasEnded || received.contains(UInt8(ascii: "\n"))
    }
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { received.removeFirst(end + 1) }
    return String(decoding: received[..<end], as: UTF8.self)
  }
}

extension SocketSession: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { received.append(contentsOf: $0) }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    hasEnded = true
  }
}

/// A session at the real `nc`.
final class NetcatSession: LineSession {
  static let executable = ["/usr/bin/nc", "/bin/nc", "/usr/local/bin/nc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let program: RunningProgram

  init(executable: String, port: String) throws {
    program = try RunningProgram(URL(fileURLWithPath: executable), ["127.0.0.1", port])
  }

  func type(_ line: String) throws {
    try program.type(line)
  }

  func readLine() throws -> String? {
    try? program.readLine()
  }

  /// Ends the input. `nc` ends with it if the server has closed.
  func endInput() throws {
    try program.endInput()
  }
}

extension EventLoop {
  /// Turns the loop until the condition holds. Throws `TimeoutError` after a minute, longer than
  /// anything takes.
  func turn(until what: String, _ condition: () -> Bool) throws {
    let end = now + .seconds(60)
    while !condition() {
      guard now < end else {
        throw RunningProgram.TimeoutError(description: "This did not happen within 60 s: \(what).")
      }
      try turn(wait: .milliseconds(30))
    }
  }
}
