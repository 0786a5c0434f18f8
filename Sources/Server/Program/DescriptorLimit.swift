#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How many descriptors, and so connections, the process may have.
enum DescriptorLimit {
  /// Most descriptors that room is made for at the start: the kernel takes 8 bytes for each.
  private static let mostRoom = 65_536

  /// Raises the limit as far as the system lets this process; where it does not, the limit stays.
  /// Then has the kernel make room for so many descriptors (`nil`: any number), as far as the limit
  /// and `mostRoom` allow.
  ///
  /// To be called while the process has one thread. Linux doubles its table as descriptors come, and
  /// where threads share it, that takes an RCU grace period: some 10 ms in which nothing is served.
  static func raise(makingRoomFor count: Int?) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) != 0, getrlimit(resource, &limit) != 0 { return }
    let room = min(count ?? mostRoom, mostRoom, Int(clamping: limit.rlim_cur))
    // The table is as large as the highest descriptor that there has been needs it.
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(room - 1))
    if descriptor >= 0 { close(descriptor) }
  }
}
