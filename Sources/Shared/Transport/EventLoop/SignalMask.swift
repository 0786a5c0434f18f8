import Foundation

/// Which signals wait instead of reaching this thread.
package enum SignalMask {
  /// They wait from now on, and on threads that this one starts. Dispatch's sources get them all the
  /// same.
  package static func block(_ signals: [Int32]) {
    change(SIG_BLOCK, signals)
  }

  /// They come, and first those that have waited.
  package static func unblock(_ signals: [Int32]) {
    change(SIG_UNBLOCK, signals)
  }

  private static func change(_ how: Int32, _ signals: [Int32]) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(how, &mask, nil)
  }
}
