import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls on the loop's thread when the process gets a signal, such as SIGINT, SIGTERM or SIGWINCH.
/// The loop owns it until it is cancelled.
///
/// Dispatch takes the signal on a thread of its own, which sleeps otherwise, and writes a byte to a
/// pair of sockets that the loop watches. Signals that come while one is handled are one.
package final class SignalSource {
  private unowned let loop: EventLoop
  private let socket: Socket
  private let source: any DispatchSourceSignal
  private let action: () -> Void
  private var watch: Watch?

  /// Takes the place of the signal's default action, some moments later: until then a SIGTERM ends
  /// the process as ever.
  package init(
    loop: EventLoop, signal number: Int32, action: @escaping () -> Void
  ) throws(SystemError) {
    let (near, far) = try Socket.pair()
    self.loop = loop
    self.action = action
    socket = near
    // A queue of its own: once a global one has had a thread, Dispatch looks at those every second as
    // long as the program runs.
    let queue = DispatchQueue(label: "signal \(number)")
    source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    do throws(SystemError) {
      watch = try loop.watch(near.descriptor, for: .readable, handler: self)
    } catch {
      near.close()
      far.close()
      // A source that was never resumed must not be let go.
      source.resume()
      source.cancel()
      throw error
    }
    source.setEventHandler {
      // Where the pair is full the loop has signals to handle already.
      _ = try? withUnsafeBytes(of: UInt8(0)) { byte throws(SystemError) in try far.send(byte) }
    }
    source.setCancelHandler { far.close() }
    #if !os(Linux)
      // Elsewhere Dispatch only looks on while the default action is taken.
      signal(number, SIG_IGN)
    #endif
    source.resume()
  }

  deinit { source.cancel() }

  /// The action will not be called any more. The signal's default action does not come back.
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
