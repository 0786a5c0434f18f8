#if canImport(Glibc)
  import Glibc
  // Declares the fields of `timespec`.
  import SwiftOverlayShims
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time since the machine has started. Unlike the clock of a loop, it goes on while the process
/// is stopped and while the machine sleeps.
package enum BootClock {
  package static func now() -> Duration {
    var time = timespec()
    #if os(Linux)
      // This cannot fail, because every Linux has this clock.
      clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      // On macOS this one goes on in sleep.
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }
}
