#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How many descriptors, and so connections, the process may have.
package enum DescriptorLimit {
  /// The most descriptors that room is made for: the kernel takes 8 bytes for each.
  private static let maxRoom = 65_536

  /// Raises the limit as far as the system lets this process; where it does not, the limit stays.
  /// - Returns: The limit; `nil` where the system does not tell.
  @discardableResult
  package static func raise() -> Int? {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) != 0, getrlimit(resource, &limit) != 0 { return nil }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit, and has the kernel make room for `count` descriptors (`nil`: any number), as
  /// far as the limit and `maxRoom` allow.
  ///
  /// To be called while the process has one thread. Linux doubles its table as descriptors come, and
  /// where threads share it, that takes an RCU grace period: some 10 ms in which nothing is served.
  package static func raise(makingRoomFor count: Int?) {
    guard let limit = raise() else { return }
    let room = min(count ?? maxRoom, maxRoom, limit)
    // The table is as large as the highest descriptor that there has been needs it.
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(room - 1))
    if descriptor >= 0 { close(descriptor) }
  }
}
