import Shared

/// Reads the lines that the server sends to a program, and picks those that a person should see.
struct ServerNotices {
  /// The server's `bye`, once it has come.
  private(set) var goodbye: (code: ByeCode, message: String)?
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
  private var decoder = EventDecoder()

  /// Calls `show` with each line that is an `error` or a `bye`, unchanged but printable. Ignores lines
  /// that do not belong to the protocol.
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
