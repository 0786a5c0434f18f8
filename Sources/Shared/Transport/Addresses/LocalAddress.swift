#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The path of a unix-domain socket, which only processes of this machine can reach.
package struct LocalAddress: Equatable, Sendable {
  /// The maximum length, in bytes, of the path that a system call takes: 107 on Linux, 103 on a
  /// Mac.
  private static let maxSystemLength =
    MemoryLayout<sockaddr_un>.size - (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0) - 1

  #if os(Linux)
    /// A longer path is reached by a descriptor of its folder.
    private static let folderPrefix = "/proc/self/fd/"
    /// `O_PATH`, which Glibc's module does not export: no permission to read is needed.
    private static let forPath: Int32 = 0o10_000_000
    /// The maximum length of a path in bytes.
    package static let maxLength = Int(PATH_MAX) - 1
    /// The maximum length of the last part of a path in bytes; the descriptor has up to 10 digits.
    package static let maxNameLength = maxSystemLength - folderPrefix.utf8.count - 11
  #else
    package static let maxLength = maxSystemLength
    package static let maxNameLength = maxSystemLength
  #endif

  package let path: String

  /// `nil` for a path that is empty or longer than `maxLength`, or has a NUL, or whose last part is
  /// longer than `maxNameLength`.
  package init?(_ path: String) {
    guard (1...Self.maxLength).contains(path.utf8.count), !path.utf8.contains(0) else {
      return nil
    }
    self.path = path
    guard path.utf8.count > Self.maxSystemLength else { return }
    guard name.utf8.count <= Self.maxNameLength else { return nil }
  }

  /// The last part of the path.
  private var name: Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  /// Calls `body` with a path to the same file that is short enough for a system call.
  private func withShortPath<Value>(
    _ body: (String) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    guard path.utf8.count > Self.maxSystemLength else { return try body(path) }
    #if os(Linux)
      let folder = try systemCall("open") {
        open(String(path.dropLast(name.count)), Self.forPath | O_DIRECTORY | O_CLOEXEC)
      }
      defer { close(folder) }
      return try body("\(Self.folderPrefix)\(folder)/\(name)")
    #else
      throw SystemError(call: "open", code: ENAMETOOLONG)
    #endif
  }

  /// Calls `body` with the address in the form that system calls take.
  ///
  /// - Throws: the error of `body`.
  func withSystemAddress<Value>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    try withShortPath { path throws(SystemError) in
      try Self.withSystemAddress(path, body)
    }
  }

  private static func withSystemAddress<Value>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Value
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
