import Foundation

#if canImport(CEpoll)
  import CEpoll
#endif
#if canImport(Glibc)
  import Glibc
  // Declares the fields of `timespec`.
  import SwiftOverlayShims
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls an action on the loop's thread when the process gets a signal, such as SIGINT, SIGTERM or
/// SIGWINCH. The loop owns the source until it is cancelled.
///
/// A signal that is blocked, as `SignalMask` does it for all threads, is read from a descriptor
/// where the system has such descriptors. Any other is handled by Dispatch, on a thread of its own,
/// which writes a byte to a socket pair that the loop watches. Several signals that arrive before
/// the action runs cause one call.
///
/// Dispatch raises the priority of its thread, and writes to standard error where a service manager
/// forbids that.
package final class SignalSource {
  private unowned let loop: EventLoop
  private let socket: Socket
  /// `nil` if the descriptor is that of the signal itself.
  private let source: (any DispatchSourceSignal)?
  private let action: () -> Void
  private var watch: Watch?

  /// Replaces the signal's default action. That takes effect with a short delay: until then a
  /// SIGTERM still ends the process.
  ///
  /// - Throws: if there is no descriptor for the socket pair, or the loop cannot watch it.
  package init(
    loop: EventLoop, signal number: Int32, action: @escaping () -> Void
  ) throws(SystemError) {
    if let descriptor = try SignalMask.descriptor(of: number) {
      (self.loop, self.action, source) = (loop, action, nil)
      socket = Socket(descriptor: descriptor)
      do throws(SystemError) {
        watch = try loop.watch(descriptor, for: .readable, handler: self)
      } catch {
        socket.close()
        throw error
      }
      return
    }
    let (near, far) = try Socket.pair()
    self.loop = loop
    self.action = action
    socket = near
    // It has its own queue: once a global queue has had a thread, Dispatch wakes up every second
    // for the rest of the program.
    let queue = DispatchQueue(label: "signal \(number)")
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    self.source = source
    do throws(SystemError) {
      watch = try loop.watch(near.descriptor, for: .readable, handler: self)
    } catch {
      near.close()
      far.close()
      // A source that was never resumed must not be released.
      source.resume()
      source.cancel()
      throw error
    }
    source.setEventHandler {
      // If the buffer is full, the loop has signals to handle already.
      _ = try? withUnsafeBytes(of: UInt8(0)) { byte throws(SystemError) in try far.send(byte) }
    }
    source.setCancelHandler { far.close() }
    #if !os(Linux)
      // Elsewhere Dispatch only observes the signal, and its default action still runs.
      signal(number, SIG_IGN)
    #endif
    source.resume()
  }

  deinit { source?.cancel() }

  /// Stops calling the action. The signal's default action is not restored. A second call does
  /// nothing.
  package func cancel() {
    guard let watch else { return }
    self.watch = nil
    source?.cancel()
    loop.cancel(watch)
    socket.close()
  }
}

extension SignalSource: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    // A descriptor of a signal is none of a socket.
    let buffer = loop.receiveBuffer
    let count = try? systemCall("read") {
      read(socket.descriptor, buffer.baseAddress, buffer.count)
    }
    if let count, count > 0 { action() }
  }

  package func loopDidEnd() {
    watch = nil
    socket.close()
  }
}

/// The signals that are blocked on this thread: they stay pending.
package enum SignalMask {
  /// Blocks signals on this thread and on threads that it starts. Dispatch's sources still get
  /// them.
  package static func block(_ signals: [Int32]) {
    change(SIG_BLOCK, signals)
  }

  /// Whether one of some blocked signals has arrived.
  package static func hasPending(_ signals: [Int32]) -> Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return signals.contains { sigismember(&pending, $0) == 1 }
  }

  /// Unblocks signals. Pending ones are delivered first.
  package static func unblock(_ signals: [Int32]) {
    change(SIG_UNBLOCK, signals)
  }

  /// Waits for one of some signals, which are blocked, and takes it.
  ///
  /// - Returns: false if none has come within a time.
  package static func wait(for signals: [Int32], within time: Duration) -> Bool {
    #if os(Linux)
      var mask = sigset_t()
      sigemptyset(&mask)
      for signal in signals { sigaddset(&mask, signal) }
      let (seconds, attoseconds) = time.components
      var limit = timespec()
      limit.tv_sec = Int(seconds)
      limit.tv_nsec = Int(attoseconds / 1_000_000_000)
      return sigtimedwait(&mask, nil, &limit) > 0
    #else
      // There is no such call. A signal ends the process after the wait.
      usleep(UInt32(time / .microseconds(1)))
      return false
    #endif
  }

  /// Returns a descriptor from which a blocked signal can be read; `nil` if it is not blocked, or
  /// the system has no such descriptors. Called on the main thread, whose mask all others have: on
  /// another one `nil` is returned, because Dispatch's block signals that the main thread does not.
  static func descriptor(of signal: Int32) throws(SystemError) -> Int32? {
    #if os(Linux)
      guard Thread.isMainThread else { return nil }
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      guard sigismember(&mask, signal) == 1 else { return nil }
      var own = sigset_t()
      sigemptyset(&own)
      sigaddset(&own, signal)
      return try systemCall("signalfd") {
        signalfd(-1, &own, Int32(O_NONBLOCK) | Int32(O_CLOEXEC))
      }
    #else
      return nil
    #endif
  }

  private static func change(_ how: Int32, _ signals: [Int32]) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(how, &mask, nil)
  }
}
