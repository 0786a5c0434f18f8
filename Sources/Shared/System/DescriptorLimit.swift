#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The maximum number of descriptors, and so of connections, of the process.
package enum DescriptorLimit {
  /// The maximum number of descriptors for which the kernel makes room in advance. Each takes 8
  /// bytes.
  private static let maxReserved = 65_536

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// The limit now; `nil` if the system does not return it.
  package static var current: Int? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
  }

  /// Raises the limit as far as the system allows.
  ///
  /// - Returns: the limit; `nil` if the system does not return it.
  @discardableResult
  package static func raise() -> Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) != 0, getrlimit(resource, &limit) != 0 { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit, and lets the kernel make room for `count` descriptors (`nil`: any number),
  /// up to the limit and `maxReserved`.
  ///
  /// Call it while the process has one thread. Linux doubles its table when it is full. If threads
  /// share the table, that takes an RCU grace period: about 10 ms in which the process does nothing
  /// else.
  package static func raise(makingRoomFor count: Int?) {
    guard let limit = raise() else { return }
    let room = min(count ?? maxReserved, maxReserved, limit)
    // The highest descriptor so far determines the size of the table.
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(room - 1))
    if descriptor >= 0 { close(descriptor) }
  }
}
