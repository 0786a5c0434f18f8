#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How many descriptors, and so connections, the process may have.
enum DescriptorLimit {
  /// Raises the limit as far as the system lets this process; where it does not, the limit stays.
  /// Then has the kernel make room for so many descriptors, as far as the limit allows.
  ///
  /// To be called while the process has one thread. Linux doubles its table as descriptors come, and
  /// where threads share it, that takes an RCU grace period: some 10 ms in which nothing is served.
  static func raise(makingRoomFor count: Int) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) != 0, getrlimit(resource, &limit) != 0 { return }
    let highest = min(rlim_t(count), limit.rlim_cur) - 1
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(clamping: highest))
    if descriptor >= 0 { close(descriptor) }
  }
}
