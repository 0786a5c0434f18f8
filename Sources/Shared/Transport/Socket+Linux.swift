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

    /// Of `send`: no SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    static func open(family: Int32) throws(SystemError) -> Socket {
      Socket(descriptor: try systemCall("socket") { socket(family, stream | flags, 0) })
    }

    /// Two sockets that are one another's peers.
    static func pair() throws(SystemError) -> (Socket, Socket) {
      var pair: [Int32] = [-1, -1]
      _ = try systemCall("socketpair") { socketpair(AF_UNIX, stream | flags, 0, &pair) }
      return (Socket(descriptor: pair[0]), Socket(descriptor: pair[1]))
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
