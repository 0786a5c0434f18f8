#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whom an `InputReader` tells what it read, always from within a turn of the loop. Each call may
/// pause or stop the reader.
package protocol InputReaderDelegate: AnyObject {
  /// Bytes came: 1 to 65,536 of them, which hold only during the call.
  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>)

  /// The input ended, or failed where there is an error. The last call.
  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?)
}

/// Reads a descriptor that others may share, such as standard input: a terminal, a pipe, a file or
/// `/dev/null`. It reads only where something is there, once each time, so that the descriptor need
/// not be made non-blocking for everybody. The loop owns it until it ends, is paused or stopped.
package final class InputReader {
  package weak var delegate: (any InputReaderDelegate)?
  /// True at first. While false nothing is read and nothing is lost; somebody must hold the reader.
  package var isReading = true { didSet { if isReading != oldValue { isReadingDidChange() } } }
  private unowned let loop: EventLoop
  private let descriptor: Int32
  private var watch: Watch?
  private var isOver = false

  /// Reads from the next turn on. The descriptor stays the caller's, who does not close it before
  /// the end or `stop`.
  package init(loop: EventLoop, descriptor: Int32) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    watch = try loop.watch(descriptor, for: .readable, handler: self)
  }

  /// The delegate is not called any more. Twice is once.
  package func stop() {
    isOver = true
    unwatch()
  }

  private func isReadingDidChange() {
    // A watch for nothing would not do: a pipe whose writers are gone is reported for ever.
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
