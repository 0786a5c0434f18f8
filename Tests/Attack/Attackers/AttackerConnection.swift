import Shared

/// A connection of an attacker's that looks only at the type of each line it receives.
final class AttackerConnection {
  let connection: BoundConnection
  var onOpen: () -> Void = {}
  /// Called with the type of each line.
  var onLine: (String) -> Void = { _ in }
  /// Called when all queued bytes have been sent, after the server did not take them at once.
  var onDrain: () -> Void = {}
  /// Called once, when the server has ended or refused the connection. The owner still closes it.
  var onEnd: () -> Void = {}
  private let context: AttackerContext
  private var framer = LineFramer(limit: 65_536)

  private static let typeOffset = #"{"type":""#.utf8.count
  private static let codeOffset = #"","code":""#.utf8.count

  init(_ connection: BoundConnection, context: AttackerContext) {
    self.connection = connection
    self.context = context
    connection.delegate = self
    connection.onOpen = { [weak self] in self?.onOpen() }
  }

  deinit { connection.reset() }

  func send(_ bytes: [UInt8]) { connection.send(bytes.span) }

  private func take(_ line: Span<UInt8>) {
    let type = Self.word(in: line, from: Self.typeOffset)
    if type == "error" || type == "bye" {
      let start = Self.typeOffset + type.utf8.count + Self.codeOffset
      context.count("\(type) \(Self.word(in: line, from: start))")
    } else {
      context.count(type)
    }
    onLine(type)
  }

  /// The text from an offset up to the next quote.
  private static func word(in line: Span<UInt8>, from start: Int) -> String {
    var end = start
    while end < line.count, line[end] != UInt8(ascii: "\"") { end += 1 }
    guard start < end else { return "?" }
    return line.withUnsafeBufferPointer { String(decoding: $0[start..<end], as: UTF8.self) }
  }
}

extension AttackerConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): take(bytes.extracting(range))
      case .joined(let line): take(line.span)
      case .needsMore, .tooLong: return
      }
    }
  }

  func connectionDidDrain(_ connection: any Connection) { onDrain() }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    let action = onEnd
    onEnd = {}
    action()
  }
}
