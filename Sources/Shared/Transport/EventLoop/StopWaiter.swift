#if canImport(CEpoll)
  import CEpoll
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ends the process with the exit code 0 at SIGINT or SIGTERM while it starts: whatever it waits
/// for then, a disk, a name server or another process, cannot be interrupted. The program must be
/// ready for an end at any moment, as for SIGKILL.
///
/// A thread takes the signals, which must be blocked on all others.
package final class StopWaiter {
  /// Wakes the thread up when it is not needed any more.
  private static let wakeup = SIGUSR2
  private let thread: pthread_t

  /// Starts the thread. Returns `nil` if there can be none: then the signals stay pending.
  package init?() {
    SignalMask.block([SIGINT, SIGTERM, Self.wakeup])
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = pthread_create(
      &thread, nil,
      { _ in
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, StopWaiter.wakeup] { sigaddset(&signals, signal) }
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        if signal != StopWaiter.wakeup { _exit(0) }
        return nil
      }, nil)
    #if canImport(Darwin)
      guard result == 0, let thread else { return nil }
    #else
      guard result == 0 else { return nil }
    #endif
    self.thread = thread
  }

  /// Ends the thread. Called once. Signals that come later stay pending until they are handled.
  package func end() {
    pthread_kill(thread, Self.wakeup)
    pthread_join(thread, nil)
  }
}
