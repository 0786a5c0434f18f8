#if canImport(Glibc)
  import Glibc
  // Declares the fields of `timespec`.
  import SwiftOverlayShims
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// When a file or a folder was last changed, moved to its place, or given other rights, and which
/// file it is: the clock of a file system ticks every few milliseconds, in which a file can be
/// replaced.
package struct FileChange: Equatable, Sendable {
  /// The time since 1970.
  package let time: Duration
  private let file: UInt64

  /// `nil` if there is nothing at the path.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if os(Linux)
      let changed = status.st_ctim
    #else
      let changed = status.st_ctimespec
    #endif
    time = Duration(
      secondsComponent: Int64(changed.tv_sec),
      attosecondsComponent: Int64(changed.tv_nsec) * 1_000_000_000)
    file = UInt64(status.st_ino)
  }
}
