#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes to a pipe without blocking, even if its reader is slow or gone: the counterpart of
/// `InputReader`. It keeps bytes that the system does not take at once, so callers should check
/// `unwritten`. The loop owns the writer while it keeps bytes.
package final class OutputWriter {
  private unowned let loop: EventLoop
  private let descriptor: Int32
  private let whenDrained: () -> Void
  private var out = OutBuffer()
  /// Set only while the pipe is full.
  private var watch: Watch?
  private var isOver = false

  /// Makes the descriptor non-blocking, also for others that share it. The caller owns it, and does
  /// not close it before `stop`. SIGPIPE must be ignored. `whenDrained` is called in a turn of the
  /// loop when all bytes that were kept have been written.
  ///
  /// - Throws: if the descriptor cannot be made non-blocking.
  package init(
    loop: EventLoop, descriptor: Int32, whenDrained: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    self.whenDrained = whenDrained
    let flags = try systemCall("fcntl") { fcntl(descriptor, F_GETFL) }
    _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  /// The number of bytes that the system has not taken yet.
  package var unwritten: Int { out.count }

  /// Writes bytes. Drops them after `stop`, and if the reader has gone.
  package func write(_ bytes: Span<UInt8>) {
    guard !isOver, !bytes.isEmpty else { return }
    out.append(bytes, from: &loop.flushQueue.buffers)
    if watch == nil { writeQueued() }
  }

  /// Drops the unwritten bytes. `whenDrained` is not called again. A second call does nothing.
  package func stop() {
    isOver = true
    out.empty(into: &loop.flushQueue.buffers)
    unwatch()
  }

  private func writeQueued() {
    do throws(SystemError) {
      let taken = try countUnlessBlocked { () throws(SystemError) in
        try systemCall("write") { writeBytes(descriptor, out.bytes) }
      }
      out.remove(first: taken, into: &loop.flushQueue.buffers)
      if out.isEmpty {
        unwatch()
      } else if watch == nil {
        watch = try loop.watch(descriptor, for: .writable, handler: self)
      }
    } catch {
      // The reader has gone. From now on everything counts as written.
      stop()
    }
  }

  private func unwatch() {
    guard let watch else { return }
    self.watch = nil
    loop.cancel(watch)
  }
}

extension OutputWriter: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    writeQueued()
    if watch == nil { whenDrained() }
  }

  package func loopDidEnd() {
    isOver = true
    watch = nil
  }
}

// Inside `OutputWriter` its own method hides the system function of the same name.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
