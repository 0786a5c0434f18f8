#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Receives the input of an `InputReader`, always within a turn of the loop. Each method may pause
/// or stop the reader.
package protocol InputReaderDelegate: AnyObject {
  /// Bytes have arrived: up to 16,384, which are valid only during the call.
  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>)

  /// The input ended, or failed if there is an error. This is the last call.
  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?)
}

/// Reads a descriptor that other processes may share, such as standard input: a terminal, a pipe, a
/// file or `/dev/null`. It reads only when input is there, once for each event, so the descriptor
/// can stay blocking for its other users. The loop owns the reader until it ends, is paused or
/// stopped.
package final class InputReader {
  package weak var delegate: (any InputReaderDelegate)?
  /// True at first. While it is false nothing is read and nothing is lost, and the loop does not
  /// hold the reader.
  package var isReading = true { didSet { if isReading != oldValue { isReadingDidChange() } } }
  private unowned let loop: EventLoop
  private let descriptor: Int32
  private var watch: Watch?
  private var isOver = false

  /// Reads from the next turn on. The caller owns the descriptor, and does not close it before the
  /// end or `stop`.
  ///
  /// - Throws: if the loop cannot watch the descriptor.
  package init(loop: EventLoop, descriptor: Int32) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    watch = try loop.watch(descriptor, for: .readable, handler: self)
  }

  /// Stops reading. The delegate is not called again. A second call does nothing.
  package func stop() {
    isOver = true
    unwatch()
  }

  private func isReadingDidChange() {
    // A watch without interest is not enough: a hang-up would be reported in every turn.
    guard isReading else { return unwatch() }
    guard !isOver, watch == nil else { return }
    do throws(SystemError) {
      watch = try loop.watch(descriptor, for: .readable, handler: self)
    } catch {
      loop.schedule(after: .zero) { self.end(with: error) }
    }
  }

  private func unwatch() {
    guard let watch else { return }
    self.watch = nil
    loop.cancel(watch)
  }
}

extension InputReader: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    // Somebody else may have read it since the event, and `read` would block.
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) != 0 else { return }
    let buffer = loop.receiveBuffer
    do throws(SystemError) {
      let count = try systemCall("read") { read(descriptor, buffer.baseAddress, buffer.count) }
      guard count > 0 else { return end(with: nil) }
      let bytes = UnsafeBufferPointer(rebasing: buffer[..<count])
      delegate?.inputReader(self, didReceive: bytes.span)
    } catch {
      if !error.isWouldBlock { end(with: error) }
    }
  }

  package func loopDidEnd() {
    isOver = true
    watch = nil
  }

  private func end(with error: SystemError?) {
    guard !isOver else { return }
    stop()
    delegate?.inputReaderDidEnd(self, with: error)
  }
}
