#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The process at the other end of a unix-domain socket, as the system saw it when it connected.
package struct PeerCredentials: Equatable, Sendable {
  package let process: Int
  package let user: Int
}

extension TCPConnection {
  /// `nil` for a connection of the network, and where the system does not say.
  package var peerCredentials: PeerCredentials? {
    #if os(Linux)
      // pid, uid and gid: `struct ucred`.
      var values: [UInt32] = [0, 0, 0]
      var length = socklen_t(values.count * MemoryLayout<UInt32>.size)
      guard getsockopt(socket.descriptor, SOL_SOCKET, SO_PEERCRED, &values, &length) == 0,
        values[0] != 0
      else { return nil }
      return PeerCredentials(process: Int(values[0]), user: Int(values[1]))
    #else
      return nil
    #endif
  }
}
