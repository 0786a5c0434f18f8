#if canImport(Glibc)
  import CEpoll
#endif

/// Memory that the process has freed, but the C library keeps for later.
package enum FreeMemory {
  /// Gives it back to the system, where the library is glibc. That takes some milliseconds for each
  /// 100 MB.
  package static func giveBack() {
    #if canImport(Glibc)
      malloc_trim(0)
    #endif
  }
}
