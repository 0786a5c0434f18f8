import Shared

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes the log to a descriptor that other processes may share, such as standard error. The
/// descriptor stays blocking, so it is written to only while poll(2) reports that it is ready. If
/// its reader is too slow, whole lines are dropped, and their number is written as soon as
/// possible. SIGPIPE must be ignored.
final class LogOutput {
  /// The maximum size of one write: a ready pipe takes this many bytes without blocking (pipe(7)).
  private static let maxWrite = 4_096

  private let descriptor: Int32
  private let notice: (_ dropped: Int) -> [UInt8]
  /// The unwritten rest of a line.
  private var rest: ArraySlice<UInt8> = []
  private var dropped = 0
  /// The number of lines that were lost since the start.
  private(set) var droppedTotal = 0

  /// `notice` returns the line with the number of dropped lines.
  init(_ descriptor: Int32, notice: @escaping (_ dropped: Int) -> [UInt8]) {
    self.descriptor = descriptor
    self.notice = notice
  }

  func write(_ line: [UInt8]) {
    send()
    guard rest.isEmpty else {
      dropped += 1
      droppedTotal += 1
      return
    }
    if dropped > 0 { rest = notice(dropped)[...] }
    dropped = 0
    rest += line
    send()
  }

  private func send() {
    while !rest.isEmpty, isReady {
      do throws(SystemError) {
        rest = rest.dropFirst(try writeSome(rest.prefix(Self.maxWrite), to: descriptor))
      } catch {
        // Another process may have made the descriptor non-blocking. Any other error means that the
        // reader has gone.
        if !error.isWouldBlock { rest = [] }
        return
      }
    }
  }

  private var isReady: Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&watched, 1, 0) == 1
  }
}

// Inside `LogOutput` its own method hides the system function of the same name.
private func writeSome(
  _ bytes: ArraySlice<UInt8>, to descriptor: Int32
) throws(SystemError) -> Int {
  try systemCall("write") { bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
}
