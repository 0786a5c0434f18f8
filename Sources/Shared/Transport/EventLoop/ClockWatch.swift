#if os(Linux)
  import CEpoll
  import Glibc
  // Declares the fields of `timespec`.
  import SwiftOverlayShims

  /// Calls an action when any program sets the time of day. The action may also be called without
  /// reason. It costs nothing while nothing happens: a timer for a day that never comes is
  /// cancelled when the clock is set; see `timerfd_create(2)`. The loop owns the watch.
  package final class ClockWatch {
    private unowned let loop: EventLoop
    private let descriptor: Int32
    private let action: () -> Void

    /// - Throws: if the system has no room for the watch.
    @discardableResult
    package init(loop: EventLoop, action: @escaping () -> Void) throws(SystemError) {
      self.loop = loop
      self.action = action
      descriptor = try systemCall("timerfd_create") {
        timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
      }
      do throws(SystemError) {
        try setTimer()
        _ = try loop.watch(descriptor, for: .readable, handler: self)
      } catch {
        close(descriptor)
        throw error
      }
    }

    private func setTimer() throws(SystemError) {
      let never = itimerspec(
        it_interval: timespec(), it_value: timespec(tv_sec: .max, tv_nsec: 0))
      let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
      _ = try systemCall("timerfd_settime") {
        withUnsafePointer(to: never) { timerfd_settime(descriptor, flags, $0, nil) }
      }
    }
  }

  extension ClockWatch: ReadinessHandler {
    package func descriptorIsReady(_ readiness: Readiness) {
      // What it says does not matter: ECANCELED.
      let buffer = loop.receiveBuffer
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      // This cannot fail, because it did not before.
      try? setTimer()
      action()
    }

    package func loopDidEnd() { close(descriptor) }
  }
#endif
