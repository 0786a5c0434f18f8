#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct PassedSocketTests {
  /// A socket that listens on a free port of the loopback, as a parent has it.
  private func listeningSocket() throws -> Socket {
    let socket = try Socket.open(family: AF_INET)
    try socket.bind(to: .loopback())
    try socket.listen(backlog: 8)
    return socket
  }

  private func passed(
    _ socket: Socket, _ more: [String: String] = [:], to process: Int32 = 42
  ) throws -> [PassedSocket] {
    let environment = ["LISTEN_PID": "42", "LISTEN_FDS": "1"].merging(more) { $1 }
    return try PassedSocket.all(in: environment, process: process, first: socket.descriptor)
  }

  @Test func `a listener takes the connections of a passed socket, and those that waited`() throws {
    let socket = try listeningSocket()
    let parents = dup(socket.descriptor)
    let loop = try EventLoop()
    let passed = try #require(try passed(socket, ["LISTEN_FDNAMES": "games"]).first)
    #expect(passed.name == "games")
    let address = try passed.address()
    let early = try Peer(to: address)
    var accepted: [TCPConnection] = []
    let listener = try TCPListener(loop: loop, passed: passed) { accepted.append($0) }
    #expect(listener.address == address)
    try loop.turn { accepted.count == 1 }
    listener.close()
    // The parent's copy still listens: the next process gets this connection.
    let late = try Peer(to: address)
    let next = try #require(try self.passed(Socket(descriptor: parents)).first)
    let second = try TCPListener(loop: loop, passed: next) { accepted.append($0) }
    try loop.turn { accepted.count == 2 }
    second.close()
    for peer in [early, late] { peer.socket.close() }
  }

  @Test func `an IPv4 peer of a socket for both has an IPv4 address`() throws {
    let socket = try Socket.open(family: AF_INET6)
    try socket.set(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: 0)
    try socket.bind(to: .loopback("::"))
    try socket.listen(backlog: 8)
    let loop = try EventLoop()
    var accepted: [TCPConnection] = []
    let passed = try #require(try passed(socket).first)
    let listener = try TCPListener(loop: loop, passed: passed) { accepted.append($0) }
    let peer = try Peer(to: .loopback("127.0.0.1", port: listener.address.port))
    try loop.turn { accepted.count == 1 }
    #expect(accepted[0].peerAddress.description.hasPrefix("127.0.0.1:"))
    listener.close()
    peer.socket.close()
  }

  @Test func `sockets for another process, or none, are left alone`() throws {
    let socket = try listeningSocket()
    defer { socket.close() }
    #expect(try passed(socket, to: 43).isEmpty)
    #expect(try passed(socket, ["LISTEN_FDS": "0"]).isEmpty)
    #expect(try PassedSocket.all(in: [:], process: 42, first: 3).isEmpty)
  }

  @Test func `names that are not as many as the sockets do not count`() throws {
    let socket = try listeningSocket()
    defer { socket.close() }
    #expect(try passed(socket, ["LISTEN_FDNAMES": "a:b"]).map(\.name) == ["unknown"])
  }

  @Test func `a socket that does not listen for streams is refused with a sentence`() throws {
    let (first, second) = try Socket.pair()
    let datagram = try Socket.openLocalDatagram()
    defer { for socket in [first, second, datagram] { socket.close() } }
    for socket in [first, datagram] {
      let error = #expect(throws: PassedSocket.UnusableError.self) {
        try passed(socket, ["LISTEN_FDNAMES": "games"])
      }
      #expect(
        error?.message.contains("descriptor \(socket.descriptor), “games”, does not listen") == true
      )
    }
    #expect(throws: PassedSocket.UnusableError.self) { try passed(first, ["LISTEN_FDS": "x"]) }
    let closed = Socket(descriptor: 1_000_000)
    let error = #expect(throws: PassedSocket.UnusableError.self) { try passed(closed) }
    #expect(error?.message.contains("cannot be used: fcntl") == true)
  }

  @Test func `a local socket that listens has no address for TCP`() throws {
    let path = "/tmp/tictactoe-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let local = try Socket(descriptor: systemCall("socket") { socket(AF_UNIX, Socket.stream, 0) })
    defer {
      local.close()
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    _ = try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system in
        try systemCall("bind") {
          bind(local.descriptor, system, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    try local.listen(backlog: 1)
    let passed = try #require(try passed(local).first)
    let error = #expect(throws: PassedSocket.UnusableError.self) { try passed.address() }
    #expect(error?.message.contains("is not for TCP") == true)
  }
}
