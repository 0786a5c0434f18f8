#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// When a file or a folder was last changed, moved to its place, or given other rights.
package enum FileChange {
  /// Returns the time since 1970; `nil` if there is nothing at the path.
  package static func time(of path: String) -> Duration? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if os(Linux)
      let time = status.st_ctim
    #else
      let time = status.st_ctimespec
    #endif
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }
}
