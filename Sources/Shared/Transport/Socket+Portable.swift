#if !os(Linux)
  import Darwin

  extension Socket {
    static let stream = SOCK_STREAM
    static let sendFlags: Int32 = 0

    static func open(family: Int32) throws(SystemError) -> Socket {
      let opened = Socket(descriptor: try systemCall("socket") { socket(family, stream, 0) })
      return try opened.prepared()
    }

    /// Two sockets that are one another's peers.
    static func pair() throws(SystemError) -> (Socket, Socket) {
      var pair: [Int32] = [-1, -1]
      _ = try systemCall("socketpair") { socketpair(AF_UNIX, stream, 0, &pair) }
      let second = Socket(descriptor: pair[1])
      do throws(SystemError) {
        return (try Socket(descriptor: pair[0]).prepared(), try second.prepared())
      } catch {
        second.close()
        throw error
      }
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
