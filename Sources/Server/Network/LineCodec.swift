import Shared

/// The decoder and the buffer for lines on their way out, one for all connections of the loop.
final class LineCodec {
  private var decoder = CommandDecoder()
  private var line: [UInt8] = []

  /// `nil` where the line is blank.
  func decode(_ line: Span<UInt8>) throws(LineError) -> Request? {
    try decoder.decode(line)
  }

  /// Sends an event as one line, and answers its length in bytes.
  @discardableResult
  func send(_ event: Event, re: RequestID?, on connection: any Connection) -> Int {
    line.removeAll(keepingCapacity: true)
    EventEncoder.append(event, re: re, to: &line)
    let line = line
    connection.send(line.span)
    return line.count
  }

  /// Sends a copy of a line with the fields that are its receiver's own, and answers its length.
  @discardableResult
  func send(
    copyOf original: Span<UInt8>, re: RequestID?, you: Mark?, on connection: any Connection
  ) -> Int {
    guard re != nil || you != nil else {
      connection.send(original)
      return original.count
    }
    line.removeAll(keepingCapacity: true)
    EventEncoder.append(copyOf: original, re: re, you: you, to: &line)
    let line = line
    connection.send(line.span)
    return line.count
  }
}
