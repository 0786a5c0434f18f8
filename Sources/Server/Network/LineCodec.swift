import Shared

/// The decoder and the buffer for lines on their way out, one for all connections of the loop.
final class LineCodec {
  private var decoder = CommandDecoder()
  private var line: [UInt8] = []

  /// `nil` where the line is blank.
  func decode(_ line: Span<UInt8>) throws(LineError) -> Request? {
    try decoder.decode(line)
  }

  /// Calls `body` with an event as one line.
  func withLine(_ event: Event, re: RequestID?, _ body: (Span<UInt8>) -> Void) {
    line.removeAll(keepingCapacity: true)
    EventEncoder.append(event, re: re, to: &line)
    let line = line
    body(line.span)
  }

  /// Calls `body` with a copy of a line that has the fields that are its receiver's own.
  func withCopy(
    of original: Span<UInt8>, re: RequestID?, you: Mark?, _ body: (Span<UInt8>) -> Void
  ) {
    line.removeAll(keepingCapacity: true)
    EventEncoder.append(copyOf: original, re: re, you: you, to: &line)
    let line = line
    body(line.span)
  }
}
