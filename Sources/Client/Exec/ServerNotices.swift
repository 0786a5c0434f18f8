import Shared

/// Reads along what the server writes to a program, for the lines that concern the person too.
struct ServerNotices {
  /// Why the server has closed of its own accord, once it has said so.
  private(set) var goodbye: (code: ByeCode, message: String)?
  private var framer = LineFramer(limit: ServerLink.longestLine)
  private var decoder = EventDecoder()

  /// Calls `show` with each line that is an `error` or a `bye`, as it came but printable. What is no
  /// line of this protocol is none of its business.
  mutating func read(_ bytes: Span<UInt8>, show: (String) -> Void) {
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): read(line: bytes.extracting(range), show)
      case .joined(let line): read(line: line.span, show)
      case .needsMore, .tooLong: return
      }
    }
  }

  private mutating func read(line: Span<UInt8>, _ show: (String) -> Void) {
    let event: Event
    do throws(LineError) { event = try decoder.decode(line).event } catch { return }
    switch event {
    case .error: break
    case .bye(let code, let message, _): goodbye = (code, message)
    default: return
    }
    show(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.printable)
  }
}
