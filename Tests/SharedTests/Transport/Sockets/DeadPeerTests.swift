#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  import Testing

  @testable import Shared

  @Suite struct DeadPeerTests {
    @Test(arguments: ["127.0.0.1", "::1"])
    func `both ends send keepalive probes, and give up a dead peer after 14 seconds`(
      address: String
    ) throws {
      let fixture = try ListenerFixture(.poll, on: address)
      var ends: [TCPConnection] = []
      _ = Connector(loop: fixture.loop, host: address, port: fixture.listener.address.port) {
        if case .success(let connection as TCPConnection) = $0 { ends.append(connection) }
      }
      try fixture.loop.turn { ends.count + fixture.accepted.count == 2 }
      for end in ends + fixture.accepted {
        #expect(try option(SO_KEEPALIVE, of: SOL_SOCKET, end) == 1)
        let idle = try option(TCP_KEEPIDLE, of: Int32(IPPROTO_TCP), end)
        let interval = try option(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), end)
        let count = try option(TCP_KEEPCNT, of: Int32(IPPROTO_TCP), end)
        // Linux uses the second option, systems without it the first ones.
        #expect(idle + count * interval == 14)
        #expect(try option(TCP_USER_TIMEOUT, of: Int32(IPPROTO_TCP), end) == 14_000)
      }
    }

    private func option(_ name: Int32, of level: Int32, _ end: TCPConnection) throws -> Int32 {
      var value: Int32 = -1
      var length = socklen_t(MemoryLayout<Int32>.size)
      _ = try systemCall("getsockopt") {
        getsockopt(end.socket.descriptor, level, name, &value, &length)
      }
      return value
    }
  }
#endif
