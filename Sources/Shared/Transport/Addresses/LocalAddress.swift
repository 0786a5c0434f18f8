#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The path of a unix-domain socket, which only processes of this machine can reach.
package struct LocalAddress: Equatable, Sendable {
  /// The maximum length of a path in bytes: 107 on Linux, 103 on a Mac.
  package static let maxLength =
    MemoryLayout<sockaddr_un>.size - (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0) - 1

  package let path: String

  /// `nil` for a path that is empty or longer than `maxLength`, or has a NUL.
  package init?(_ path: String) {
    guard (1...Self.maxLength).contains(path.utf8.count), !path.utf8.contains(0) else {
      return nil
    }
    self.path = path
  }

  /// Calls `body` with the address in the form that system calls take.
  ///
  /// - Throws: the error of `body`.
  func withSystemAddress<Value>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The rest of the array, at least one byte, stays zero.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return try withUnsafePointer(to: address) { pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        system throws(SystemError) in
        try body(system, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
