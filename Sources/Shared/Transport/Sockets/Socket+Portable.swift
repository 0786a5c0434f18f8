#if !os(Linux)
  import Darwin

  extension Socket {
    static let stream = SOCK_STREAM

    static func open(family: Int32) throws(SystemError) -> Socket {
      let opened = Socket(descriptor: try systemCall("socket") { socket(family, stream, 0) })
      return try opened.prepared()
    }

    /// Opens a socket for datagrams to other processes of this machine.
    static func openLocalDatagram() throws(SystemError) -> Socket {
      let opened = Socket(descriptor: try systemCall("socket") { socket(AF_UNIX, SOCK_DGRAM, 0) })
      return try opened.prepared()
    }

    /// Returns two connected sockets.
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

    /// Makes one `recv` call.
    ///
    /// - Returns: the number of bytes; 0 at the end of the peer's input.
    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(SystemError) -> Int {
      try systemCall("recv") { Darwin.recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Makes one `send` call; `prepared` disables SIGPIPE.
    ///
    /// - Returns: how many bytes the system took, from the first on.
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
      try systemCall("send") { Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0) }
    }

    /// Lets the system end a connection within 30 s after its peer has died: after 14 s without
    /// input, or without an acknowledgement of sent bytes. Accepted sockets inherit these options
    /// from their listening socket.
    func enableKeepalive() throws(SystemError) {
      try set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
      try set(TCP_KEEPALIVE, of: Int32(IPPROTO_TCP), to: 6)
      try set(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), to: 2)
      try set(TCP_KEEPCNT, of: Int32(IPPROTO_TCP), to: 4)
      try set(TCP_RXT_CONNDROPTIME, of: Int32(IPPROTO_TCP), to: 14)
    }

    /// Accepts a connection of a listening socket, and stores its peer's address in `address`.
    func accept(
      _ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t
    ) throws(SystemError) -> Socket {
      let accepted = try systemCall("accept") { Darwin.accept(descriptor, address, &length) }
      return try Socket(descriptor: accepted).prepared()
    }

    // Makes the socket non-blocking, closed by exec, and without SIGPIPE. Closes it if that fails.
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
