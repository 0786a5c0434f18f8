#if !os(Linux)
  import Darwin

  extension Socket {
    static let stream = SOCK_STREAM

    static func open(family: Int32) throws(SystemError) -> Socket {
      let opened = Socket(descriptor: try systemCall("socket") { socket(family, stream, 0) })
      return try opened.prepared()
    }

    /// Two sockets that are one another's peers.
    static func pair() throws(SystemError) -> (Socket, Socket) {
      var pair: [Int32] = [-1, -1]
      _ = try systemCall("socketpair") { socketpair(AF_UNIX, stream, 0, &pair) }
      let (first, second) = (Socket(descriptor: pair[0]), Socket(descriptor: pair[1]))
      do throws(SystemError) {
        _ = try first.prepared()
      } catch {
        second.close()
        throw error
      }
      do throws(SystemError) {
        return (first, try second.prepared())
      } catch {
        first.close()
        throw error
      }
    }

    /// What the peer sends, one `recv`.
    /// - Returns: How many bytes came; 0 at the end of its input.
    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(SystemError) -> Int {
      try systemCall("recv") { Darwin.recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// One `send`; `prepared` keeps it from raising SIGPIPE.
    /// - Returns: How many of the bytes the system took, from the first on.
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
      try systemCall("send") { Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0) }
    }

    /// Ends a connection whose peer is dead within 30 s, without the program's doing: after 14 s
    /// in which nothing came, or in which nothing that was sent was acknowledged. What a listening
    /// socket has, those have that it accepts.
    func enableKeepalive() throws(SystemError) {
      try set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
      try set(TCP_KEEPALIVE, of: Int32(IPPROTO_TCP), to: 6)
      try set(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), to: 2)
      try set(TCP_KEEPCNT, of: Int32(IPPROTO_TCP), to: 4)
      try set(TCP_RXT_CONNDROPTIME, of: Int32(IPPROTO_TCP), to: 14)
    }

    /// One connection of a listening socket; puts its peer's address into `address`.
    func accept(
      _ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t
    ) throws(SystemError) -> Socket {
      let accepted = try systemCall("accept") { Darwin.accept(descriptor, address, &length) }
      return try Socket(descriptor: accepted).prepared()
    }

    // Non-blocking, closed by exec, without SIGPIPE; closed where that fails.
    private func prepared() throws(SystemError) -> Socket {
      do throws(SystemError) {
        let flags = try systemCall("fcntl") { fcntl(descriptor, F_GETFL) }
        _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
        _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        try set(SO_NOSIGPIPE, of: SOL_SOCKET, to: 1)
        return self
      } catch {
        close()
        throw error
      }
    }
  }
#endif
