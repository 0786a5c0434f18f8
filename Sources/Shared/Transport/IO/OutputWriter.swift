#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes to a pipe whose reader may be slow or gone, and never waits for it: the counterpart of
/// `InputReader`. What the system does not take at once is kept, so look at `unwritten`. The loop
/// owns it while there is some, until `stop`.
package final class OutputWriter {
  private unowned let loop: EventLoop
  private let descriptor: Int32
  private let whenDrained: () -> Void
  private var out = OutBuffer()
  /// Only while the pipe is full.
  private var watch: Watch?
  private var isOver = false

  /// Makes the descriptor non-blocking for everybody who shares it. It stays the caller's, who does
  /// not close it before `stop`; SIGPIPE must not end the process. `whenDrained` is called in a turn
  /// of the loop when nothing is unwritten any more, after a time in which something was.
  package init(
    loop: EventLoop, descriptor: Int32, whenDrained: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    self.whenDrained = whenDrained
    let flags = try systemCall("fcntl") { fcntl(descriptor, F_GETFL) }
    _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Bytes that the system has not taken yet.
  package var unwritten: Int { out.count }

  /// Does nothing after `stop`. Where nobody reads any more, the bytes are dropped.
  package func write(_ bytes: Span<UInt8>) {
    guard !isOver, !bytes.isEmpty else { return }
    out.append(bytes, from: &loop.flushQueue.buffers)
    if watch == nil { writeQueued() }
  }

  /// Drops what is unwritten; `whenDrained` is not called any more. Twice is once.
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
      // The reader is gone: from now on everything counts as written.
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

// Inside `OutputWriter` its own method hides the function of the same name.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
