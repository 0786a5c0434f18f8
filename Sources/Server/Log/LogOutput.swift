import Shared

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where the log goes: a descriptor that may be shared with others, such as standard error, so it is
/// left blocking, and written to only while the system says that it takes something. Where nobody
/// reads, whole lines are dropped, and their number is said as soon as there is room. SIGPIPE must
/// not end the process.
final class LogOutput {
  /// What is ready takes so many bytes without waiting: at least that holds of pipes (pipe(7)).
  private static let piece = 4_096

  private let descriptor: Int32
  private let notice: (_ dropped: Int) -> [UInt8]
  /// What is left of a line that was begun.
  private var rest: ArraySlice<UInt8> = []
  private var dropped = 0

  /// `notice` answers the line that says how many were dropped.
  init(_ descriptor: Int32, notice: @escaping (_ dropped: Int) -> [UInt8]) {
    self.descriptor = descriptor
    self.notice = notice
  }

  func write(_ line: [UInt8]) {
    send()
    guard rest.isEmpty else {
      dropped += 1
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
        rest = rest.dropFirst(try writeSome(rest.prefix(Self.piece), to: descriptor))
      } catch {
        // Somebody else may have made it non-blocking. Otherwise nobody is left to be told.
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

// Inside `LogOutput` its own method hides the function of the same name.
private func writeSome(
  _ bytes: ArraySlice<UInt8>, to descriptor: Int32
) throws(SystemError) -> Int {
  try systemCall("write") { bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
}
