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
    #else
      static let stream = SOCK_STREAM
      private static let flags = SOCK_NONBLOCK | SOCK_CLOEXEC
    #endif

    static func open(family: Int32) throws(SystemError) -> Socket {
      Socket(descriptor: try systemCall("socket") { socket(family, stream | flags, 0) })
    }

    /// Two sockets that are one another's peers.
    static func pair() throws(SystemError) -> (Socket, Socket) {
      var pair: [Int32] = [-1, -1]
      _ = try systemCall("socketpair") { socketpair(AF_UNIX, stream | flags, 0, &pair) }
      return (Socket(descriptor: pair[0]), Socket(descriptor: pair[1]))
    }

    /// What the peer sends, one `recv`.
    /// - Returns: How many bytes came; 0 at the end of its input.
    @inline(__always)
    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(SystemError) -> Int {
      try systemCall("recv") { linux_recv(descriptor, buffer.baseAddress, UInt(buffer.count)) }
    }

    /// One `send`, which never raises SIGPIPE.
    /// - Returns: How many of the bytes the system took, from the first on.
    @inline(__always)
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
      try systemCall("send") {
        linux_send(descriptor, bytes.baseAddress, UInt(bytes.count), Int32(MSG_NOSIGNAL))
      }
    }

    /// Ends a connection whose peer is dead within 30 s, without the program's doing. What a
    /// listening socket has, those have that it accepts.
    ///
    /// A peer from which nothing has come for 6 s is asked every 2 s for a sign of life, which its
    /// system gives, not the program or person there. That goes on only while nothing is on its way
    /// to the peer; then it is the peer's acknowledgement that is waited for. `TCP_USER_TIMEOUT` is
    /// how long, in ms, and Linux counts silence by it too, in the place of `TCP_KEEPCNT`. The two
    /// times may follow one another, where something is sent just before the first is over: hence
    /// 14 s, half of what there is. It is also how long a peer that does not read may keep its
    /// window shut, so it must not be less than a server's patience with one.
    func enableKeepalive() throws(SystemError) {
      try set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
      try set(TCP_KEEPIDLE, of: Int32(IPPROTO_TCP), to: 6)
      try set(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), to: 2)
      try set(TCP_KEEPCNT, of: Int32(IPPROTO_TCP), to: 4)
      try set(TCP_USER_TIMEOUT, of: Int32(IPPROTO_TCP), to: 14_000)
    }

    /// One connection of a listening socket; puts its peer's address into `address`.
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
