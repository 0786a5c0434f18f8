import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls an action on the loop's thread when the process gets a signal, such as SIGINT, SIGTERM or
/// SIGWINCH. The loop owns the source until it is cancelled.
///
/// Dispatch handles the signal on a thread of its own and writes a byte to a socket pair that the
/// loop watches. Several signals that arrive before the action runs cause one call.
package final class SignalSource {
  private unowned let loop: EventLoop
  private let socket: Socket
  private let source: any DispatchSourceSignal
  private let action: () -> Void
  private var watch: Watch?

  /// Replaces the signal's default action. That takes effect with a short delay: until then a
  /// SIGTERM still ends the process.
  ///
  /// - Throws: if there is no descriptor for the socket pair, or the loop cannot watch it.
  package init(
    loop: EventLoop, signal number: Int32, action: @escaping () -> Void
  ) throws(SystemError) {
    let (near, far) = try Socket.pair()
    self.loop = loop
    self.action = action
    socket = near
    // It has its own queue: once a global queue has had a thread, Dispatch wakes up every second
    // for the rest of the program.
    let queue = DispatchQueue(label: "signal \(number)")
    source = DispatchSource.makeSignalSource(signal: number, queue: queue)
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

  deinit { source.cancel() }

  /// Stops calling the action. The signal's default action is not restored. A second call does
  /// nothing.
  package func cancel() {
    guard let watch else { return }
    self.watch = nil
    source.cancel()
    loop.cancel(watch)
    socket.close()
  }
}

extension SignalSource: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    guard let count = try? socket.receive(into: loop.receiveBuffer), count > 0 else { return }
    action()
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

  private static func change(_ how: Int32, _ signals: [Int32]) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(how, &mask, nil)
  }
}
