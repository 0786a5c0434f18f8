import Foundation
import Shared

/// A Redis server, or a Sentinel, in a process and a folder of its own.
package final class RedisServer {
  package struct StartError: Error {}

  /// Where the program is; `nil` if it is not installed.
  package static let path = [
    "/usr/bin/redis-server", "/usr/local/bin/redis-server", "/usr/bin/valkey-server",
  ].first { FileManager.default.isExecutableFile(atPath: $0) }
  package static var isInstalled: Bool { path != nil }

  package let port: UInt16
  private let folder: URL
  private var process = Process()
  private let arguments: [String]

  /// `arguments` are options of Redis, and its configuration file has `lines`, if there are any.
  package init(_ arguments: [String] = [], lines: [String] = [], port: UInt16? = nil) throws {
    self.port = try port ?? Self.freePort()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("redis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var all = ["--port", "\(self.port)", "--save", "", "--dir", folder.path] + arguments
    if !lines.isEmpty {
      let file = folder.appendingPathComponent("redis.conf")
      try Data(lines.joined(separator: "\n").utf8).write(to: file)
      all.insert(file.path, at: 0)
    }
    self.arguments = all
    try start()
  }

  /// Starts a Sentinel for the primary `main` at a port. `lines` are further ones of its
  /// configuration file.
  package static func sentinel(
    of primary: UInt16, _ arguments: [String] = [], lines: [String] = [], port: UInt16? = nil
  ) throws -> RedisServer {
    try RedisServer(
      ["--sentinel"] + arguments,
      lines: ["sentinel monitor main 127.0.0.1 \(primary) 1"] + lines, port: port)
  }

  /// Starts an engine with the users that operators copy: `docs/cluster/users.acl`.
  package static func withUsers(_ arguments: [String] = []) throws -> RedisServer {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../docs/cluster/users.acl").standardizedFileURL
    return try RedisServer(["--aclfile", file.path] + arguments)
  }

  /// Options with which it speaks only TLS, and asks for a certificate of the same authority.
  package static func tls(with certificate: String = "host") throws -> (
    port: UInt16, options: [String]
  ) {
    let port = try freePort()
    let file = TLSFixture.path(of: certificate)
    return (
      port,
      [
        "--port", "0", "--tls-port", "\(port)", "--tls-cert-file", file, "--tls-key-file", file,
        "--tls-ca-cert-file", TLSFixture.path(of: "authority"), "--tls-replication", "yes",
      ]
    )
  }

  /// The URL with which a node connects after `withUsers`.
  package var nodeURL: String { "redis://tictactoe:CHANGE-ME@127.0.0.1:\(port)" }
  /// The URL with all rights.
  package var adminURL: String { "redis://admin:CHANGE-ME-ADMIN@127.0.0.1:\(port)" }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts it again. It listens a moment later.
  package func start() throws {
    guard let path = Self.path else { throw StartError() }
    process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // It must not hold the output of a test run that ends before it.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Ends it at once, as a failure of its machine would.
  package func kill() {
    guard process.isRunning else { return }
    send(SIGCONT)
    send(SIGKILL)
    process.waitUntilExit()
  }

  package func send(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

  /// Returns a port that nobody uses.
  package static func freePort() throws -> UInt16 {
    let loop = try EventLoop()
    let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true)[0]
    let listener = try TCPListener(loop: loop, address: address) { _ in }
    defer { listener.close() }
    return listener.address.port
  }
}
