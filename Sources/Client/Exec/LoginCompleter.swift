import Shared

/// Adds the password of `TICTACTOE_PASSWORD_FILE` to each `login` of a program that has none, so
/// that the program need not read the file. All other lines pass through unchanged, one at a time.
struct LoginCompleter {
  /// `nil` passes logins through as well.
  let password: String?
  private var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)
  private var isTooLong = false
  private let decoder = CommandDecoder()

  init(password: String?) {
    self.password = password
  }

  /// Calls `send` with each line for the server, with its LF. An incomplete line is kept until it
  /// is complete.
  mutating func complete(_ bytes: Span<UInt8>, send: (Span<UInt8>) -> Void) {
    // The server closes the connection because of such a line, so nothing after it counts.
    guard !isTooLong else { return }
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): pass(bytes.extracting(range), password, send)
      case .joined(let line): pass(line.span, password, send)
      case .needsMore: return
      case .tooLong:
        isTooLong = true
        return send(
          Array(repeating: UInt8(ascii: " "), count: ProtocolLimits.maxCommandLine + 1).span)
      }
    }
  }

  private func pass(_ line: Span<UInt8>, _ password: String?, _ send: (Span<UInt8>) -> Void) {
    var text = line.withUnsafeBufferPointer { Array($0) }
    if let password, let request = request(in: line), case .login(let name?, nil) = request.command
    {
      text = []
      CommandEncoder.append(.login(name: name, password: password), id: request.id, to: &text)
    } else {
      text.append(UInt8(ascii: "\n"))
    }
    send(text.span)
  }

  /// The command in a line; `nil` if there is none.
  private func request(in line: Span<UInt8>) -> Request? {
    do throws(LineError) { return try decoder.decode(line) } catch { return nil }
  }
}
