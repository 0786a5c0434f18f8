import Shared

/// The lines that `ProgramSession` writes and edits. Those with an LF at their end are complete.
enum ProgramLine {
  /// A command, with an LF.
  static func command(_ command: Command, _ id: RequestID) -> [UInt8] {
    var line: [UInt8] = []
    CommandEncoder.append(command, id: id, to: &line)
    return line
  }

  /// An event, with an LF.
  static func event(_ event: Event, re: RequestID? = nil) -> [UInt8] {
    var line: [UInt8] = []
    EventEncoder.append(event, re: re, to: &line)
    return line
  }

  /// Removes the `re` from a line, which the server writes right after the type.
  static func removing(_ re: RequestID, from line: Span<UInt8>) -> [UInt8]? {
    var bytes = line.withUnsafeBufferPointer { Array($0) }
    guard case .text(let id) = re, let range = bytes.firstRange(of: ",\"re\":\"\(id)\"".utf8)
    else { return nil }
    bytes.removeSubrange(range)
    return bytes
  }

  /// Adds a `re` to a line that has none, as the server would write it.
  static func adding(_ re: RequestID, to line: Span<UInt8>) -> [UInt8]? {
    let bytes = line.withUnsafeBufferPointer { Array($0) }
    guard bytes.starts(with: "{\"type\":\"".utf8) else { return nil }
    var copy: [UInt8] = []
    EventEncoder.withCopy(of: line, re: re) { copied in
      copied.withUnsafeBufferPointer { copy.append(contentsOf: $0) }
    }
    return copy
  }
}
