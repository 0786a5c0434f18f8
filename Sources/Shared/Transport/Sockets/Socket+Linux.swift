#if os(Linux)
  import CEpoll
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  extension Socket {
    #if canImport(Glibc)
      static let stream = Int32(SOCK_STREAM.rawValue)
      private static let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      private static let datagram = Int32(SOCK_DGRAM.rawValue)
    #else
      static let stream = SOCK_STREAM
      private static let flags = SOCK_NONBLOCK | SOCK_CLOEXEC
      private static let datagram = SOCK_DGRAM
    #endif

    static func open(family: Int32) throws(SystemError) -> Socket {
      Socket(descriptor: try systemCall("socket") { socket(family, stream | flags, 0) })
    }

    /// Opens a socket for datagrams to other processes of this machine.
    static func openLocalDatagram() throws(SystemError) -> Socket {
      Socket(descriptor: try systemCall("socket") { socket(AF_UNIX, datagram | flags, 0) })
    }

    /// Returns two connected sockets.
    static func pair() throws(SystemError) -> (Socket, Socket) {
      var pair: [Int32] = [-1, -1]
      _ = try systemCall("socketpair") { socketpair(AF_UNIX, stream | flags, 0, &pair) }
      return (Socket(descriptor: pair[0]), Socket(descriptor: pair[1]))
    }

    /// Makes one `recv` call.
    ///
    /// - Returns: the number of bytes; 0 at the end of the peer's input.
    @inline(__always)
    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(SystemError) -> Int {
      try systemCall("recv") { linux_recv(descriptor, buffer.baseAddress, UInt(buffer.count)) }
    }

    /// Makes one `send` call, without SIGPIPE.
    ///
    /// - Returns: how many bytes the system took, from the first on.
    @inline(__always)
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
      try systemCall("send") {
        linux_send(descriptor, bytes.baseAddress, UInt(bytes.count), Int32(MSG_NOSIGNAL))
      }
    }

    /// Lets the system end a connection within 30 s after its peer has died. Accepted sockets
    /// inherit these options from their listening socket.
    ///
    /// After 6 s without input the system sends a keepalive probe every 2 s, which the peer's
    /// system answers. While sent bytes are unacknowledged there are no probes; then the system
    /// waits for the acknowledgement, for up to `TCP_USER_TIMEOUT` in ms. Linux uses that time for
    /// probes too, instead of `TCP_KEEPCNT`. The two times may follow one another, if bytes are
    /// sent just before the first one is over, so each is 14 s, about half of the total. It is also
    /// how long a peer may keep its receive window closed, so it must not be less than
    /// `ClientConnection.readTimeout`.
    func enableKeepalive() throws(SystemError) {
      try set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
      try set(TCP_KEEPIDLE, of: Int32(IPPROTO_TCP), to: 6)
      try set(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), to: 2)
      try set(TCP_KEEPCNT, of: Int32(IPPROTO_TCP), to: 4)
      try set(TCP_USER_TIMEOUT, of: Int32(IPPROTO_TCP), to: 14_000)
    }

    /// Accepts a connection of a listening socket, and stores its peer's address in `address`.
    func accept(
      _ address: UnsafeMutablePointer<sockaddr>, _ length: inout socklen_t
    ) throws(SystemError) -> Socket {
      let accepted = try systemCall("accept4") {
        accept4(descriptor, address, &length, Socket.flags)
      }
      return Socket(descriptor: accepted)
    }
  }
#endif
