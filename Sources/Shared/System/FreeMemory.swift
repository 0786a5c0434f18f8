#if canImport(Glibc)
  import CEpoll
#endif

/// Memory that the process has freed but that the C library keeps.
package enum FreeMemory {
  /// Returns that memory to the system if the C library is glibc. This takes a few milliseconds for
  /// each 100 MB.
  package static func returnToSystem() {
    #if canImport(Glibc)
      malloc_trim(0)
    #endif
  }
}
