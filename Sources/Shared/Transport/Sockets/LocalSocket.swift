#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Unix-domain sockets: the system calls that TCP does not need.
extension Socket {
  /// Returns a socket that is bound to a path, for its owner only. Nothing can connect until it
  /// listens. Replaces the socket of a process that has died.
  ///
  /// - Throws: `EADDRINUSE` if a process answers there, `EEXIST` if the path is another kind of
  ///   file, and other errors of these calls.
  static func bound(to address: LocalAddress) throws(SystemError) -> Socket {
    try removeStaleSocket(at: address)
    let socket = try open(family: AF_UNIX)
    do throws(SystemError) {
      try socket.bind(to: address)
      _ = try systemCall("chmod") { chmod(address.path, 0o600) }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// Returns a socket that is connected to the process that listens on a path.
  ///
  /// - Throws: `ENOENT` if there is no such path, `ECONNREFUSED` if nothing listens there, `EAGAIN`
  ///   if many connections wait there already.
  static func connected(to address: LocalAddress) throws(SystemError) -> Socket {
    let socket = try open(family: AF_UNIX)
    do throws(SystemError) {
      try socket.connect(to: address)
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  private static func removeStaleSocket(at address: LocalAddress) throws(SystemError) {
    var status = stat()
    guard lstat(address.path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SystemError(call: "bind", code: EEXIST)
    }
    do throws(SystemError) {
      try connected(to: address).close()
      throw SystemError(call: "bind", code: EADDRINUSE)
    } catch {
      switch error.code {
      case ENOENT: break
      case ECONNREFUSED: _ = try systemCall("unlink") { unlink(address.path) }
      // It listens, but accepts nothing now.
      case EAGAIN: throw SystemError(call: "bind", code: EADDRINUSE)
      default: throw error
      }
    }
  }
}

extension EventLoop {
  /// Returns a connection to the process that listens on a path. Its peer counts as the loopback
  /// address.
  ///
  /// - Throws: `ENOENT`, `ECONNREFUSED` or `EAGAIN` if no process accepts connections there.
  package func connect(to address: LocalAddress) throws(SystemError) -> any Connection {
    try TCPConnection(
      loop: self, socket: try Socket.connected(to: address), peer: .local, isTCP: false)
  }
}

extension SocketAddress {
  /// The peer at the other end of a unix-domain socket: a process of this machine.
  package static let local = SocketAddress(.loopback, port: 0)
}
