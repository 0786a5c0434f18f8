import Foundation
import Shared
import Testing

/// The real server under a service manager, and with a configuration file.
@Suite(.serialized) struct ServiceTests {
  private let path = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// The greeting of a server, without the names of its games.
  private func turn(at port: String) throws -> String? {
    let hello = try #require(try SocketSession(port: port).readLine())
    return hello.firstMatch(of: /"turn":([0-9]+)/).map { String($0.1) }
  }

  @Test func `the service manager learns of the start, a reload and the end`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let names: [NotifySocket.Name] = [.path, .abstract].filter(\.exists)
    for name in names {
      let manager = try NotifySocket(name)
      try write("turn = 1m")
      let server = try RunningProgram(
        product: "tictactoe-server",
        ["--host", "127.0.0.1", "--port", "0", "--data", path + "-data", "--config", path],
        environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "200000"])
      defer { try? FileManager.default.removeItem(atPath: path + "-data") }
      let port = try #require(try server.readLine().split(separator: " ").last.map(String.init))
      #expect(try manager.next() == "READY=1\nSTATUS=0 players, 0 matches now.")
      #expect(try turn(at: port) == "60000")
      #expect(try manager.next(after: "READY") == "WATCHDOG=1")
      try write("turn = 2m\nkeep = 9")
      server.send(SIGHUP)
      let reloading = try manager.next(after: "WATCHDOG=1")
      #expect(reloading.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil)
      #expect(try manager.next(after: "WATCHDOG=1") == "READY=1")
      #expect(try turn(at: port) == "120000")
      try write("turn = x")
      server.send(SIGHUP)
      #expect(try manager.next(after: "WATCHDOG=1").hasPrefix("RELOADING=1"))
      #expect(try manager.next(after: "WATCHDOG=1") == "READY=1")
      #expect(try turn(at: port) == "120000")
      server.send(SIGTERM)
      #expect(try manager.next(after: "WATCHDOG=1").hasPrefix("STOPPING=1\n"))
      #expect(try server.exitCode() == 0)
      let log = try server.errorOutput()
      for sentence in [
        "info reloaded: These options have changed: turn.",
        "info reloaded: These options change only with a restart of the server: keep.",
        "warning configurationWrong: \(path), line 1: turn takes a time such as",
      ] { #expect(log.contains(sentence)) }
    }
  }

  @Test func `the service manager learns that the page is served, and gets signs of life`() throws {
    let manager = try NotifySocket(.path)
    let page = try RunningProgram(
      product: "tictactoe-client", ["--web", "127.0.0.1:0", "127.0.0.1:9"],
      environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "200000"])
    #expect(try manager.next() == "READY=1")
    #expect(try manager.next() == "WATCHDOG=1")
    page.send(SIGTERM)
    #expect(try manager.next(after: "WATCHDOG=1") == "STOPPING=1")
    #expect(try page.exitCode() == 0)
  }

  private static let activator = "/usr/bin/systemd-socket-activate"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: activator), "no systemd here"))
  func `systemd passes its listening socket, and another kind of socket is refused`() throws {
    let port = try freePort()
    let program = RunningProgram.product("tictactoe-server").path
    // systemd-socket-activate starts the server for the first connection.
    func server(_ arguments: [String]) throws -> RunningProgram {
      let activator = try RunningProgram(
        URL(fileURLWithPath: Self.activator),
        arguments + [program, "--config", "none", "--data", "none", "--drain", "0"])
      try activator.readErrorOutput(until: "Listening on")
      return activator
    }
    let good = try server(["-l", "127.0.0.1:\(port)"])
    let ann = try SocketSession(port: port)
    try ann.type("login ann\nstart bot")
    #expect(try ann.readLine()?.contains("hello") == true)
    #expect(try good.readLine().hasPrefix("tictactoe-server listens on port \(port) "))
    good.send(SIGTERM)
    #expect(try good.exitCode() == 0)
    let local = path + ".socket"
    defer { try? FileManager.default.removeItem(atPath: local) }
    let bad = try server(["-l", local])
    try NotifySocket.connectStream(to: local)
    #expect(try bad.exitCode() == 69)
    #expect(try bad.errorOutput().contains("is not for TCP. In the socket unit, write"))
  }

  private func freePort() throws -> String {
    let loop = try EventLoop()
    let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true)[0]
    let listener = try TCPListener(loop: loop, address: address) { _ in }
    defer { listener.close() }
    return String(listener.address.port)
  }

  @Test(arguments: [
    (["--node=a"], 64, "--node works only in a cluster."),
    (["--cluster=redis://db", "--cluster-file=/f"], 64, "--cluster-file: There is no file /f."),
    (
      ["--cluster=redis://:secret@127.0.0.1:1", "--advertise=127.0.0.1:7777"], 69,
      "The engine at redis://127.0.0.1:1 cannot"
    ),
  ])
  func `options of a cluster that cannot work`(
    arguments: [String], code: Int32, sentence: String
  ) throws {
    let check = try RunningProgram(
      product: "tictactoe-server",
      ["--check-config", "--config=none", "--host=127.0.0.1", "--port=0"] + arguments)
    #expect(try check.exitCode() == code)
    let errors = try check.errorOutput()
    #expect(errors.contains("tictactoe-server: \(sentence)"))
    #expect(!errors.contains("secret"))
  }

  @Test func `the configuration can be checked beside a running server`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try RunningServer()
    func check(_ text: String) throws -> (code: Int32, output: String, errors: [Substring]) {
      try write(text)
      let check = try RunningProgram(
        product: "tictactoe-server", ["--check-config", "--config", path])
      let code = try check.exitCode()
      return (code, try check.readToEnd(), try check.errorOutput().split(separator: "\n"))
    }
    let good = try check("host = 127.0.0.1\nport = \(server.port)\ndata = \(path)-data")
    #expect(good.code == 0)
    #expect(good.output == "\(path) is good.\n")
    #expect(!FileManager.default.fileExists(atPath: path + "-data"))
    let wrong = try check("prot = 1\nturn = x")
    #expect(wrong.code == 78)
    #expect(wrong.errors.count == 2)
    let unusable = try check("host = 192.0.2.1\ndata = /dev/null/data")
    #expect(unusable.code == 69)
    #expect(unusable.errors.count == 2)
    #expect(try check("host = no.such.host.invalid\ndata = none").code == 68)
    #expect(try check("data = /dev/null/data").code == 73)
    let socket = try check("data = none\nadmin = /dev/null/admin.sock")
    #expect(socket.code == 73)
    #expect(socket.errors.first?.contains("there is no folder /dev/null") == true)
    let long = String(repeating: "a", count: 120)
    #expect(try check("data = none\nadmin = /tmp/\(long)").code == 73)
    #expect(try check("data = \(path)-data\nadmin = \(path)-data/a.sock").code == 0)
    let start = try RunningProgram(product: "tictactoe-server", ["--config", path + "-none"])
    #expect(try start.exitCode() == 78)
  }
}

/// A socket to which a server sends its state, as systemd has one.
private final class NotifySocket {
  enum Name {
    case path, abstract

    /// Only Linux has abstract names.
    var exists: Bool {
      #if os(Linux)
        true
      #else
        self == .path
      #endif
    }
  }

  /// The value of `NOTIFY_SOCKET`.
  let address: String
  private let descriptor: Int32

  init(_ name: Name) throws {
    let text = "/tmp/tictactoe-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    address = name == .path ? text : "@" + text
    #if canImport(Glibc)
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    let result = Self.withAddress(of: address) { bind(descriptor, $0, $1) }
    guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
  }

  deinit {
    close(descriptor)
    unlink(address)
  }

  /// Returns the next datagram that is no repetition of one that begins with `text`.
  func next(after text: String? = nil) throws -> String {
    while true {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 30_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count >= 0 else { throw POSIXError(.EIO) }
      let datagram = String(decoding: bytes[..<count], as: UTF8.self)
      if let text, datagram.hasPrefix(text) { continue }
      return datagram
    }
  }

  /// Connects to a local stream socket, and closes the connection.
  static func connectStream(to path: String) throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    let result = withAddress(of: path) { connect(descriptor, $0, $1) }
    guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  private static func withAddress<Result>(
    of name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var bytes = Array(name.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = MemoryLayout<sockaddr_un>.size - (isAbstract ? 108 - bytes.count : 0)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }
}
