/// `boardDidChange`, the one event of the hot path: a `MatchEvent` would have to be made and copied for
/// it.
extension EventEncoder {
  /// Bytes enough for the line of one cell in a match whose id is not long.
  private static let usualRoom = 320

  /// Calls `body` with the event as one line, which nearly always lives on the stack.
  package static func withLine(
    _ change: Change, left: Duration?, match: String, seq: Int, _ body: (Span<UInt8>) -> Void
  ) {
    let isDone = match.utf8.withContiguousStorageIfAvailable { match in
      guard match.allSatisfy(OutputSpan.isPlain), room(change, match) <= usualRoom else {
        return false
      }
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: usualRoom) { room in
        guard let start = room.baseAddress else { return }
        var line = LineWriter(at: start)
        line.put("{\"type\":\"boardDidChange\"")
        put(change, left, match, seq, to: &line)
        let count = UnsafeRawPointer(line.end) - UnsafeRawPointer(start)
        body(UnsafeBufferPointer(start: start, count: count).span)
      }
      return true
    }
    guard isDone != true else { return }
    var line: [UInt8] = []
    append(change, left: left, match: match, seq: seq, to: &line)
    body(line.span)
  }

  /// Appends the event as one line.
  package static func append(
    _ change: Change, left: Duration?, match: String, seq: Int, re: RequestID? = nil,
    to line: inout [UInt8]
  ) {
    begin(.boardDidChange, re, &line)
    // What stands between the quotes of a JSON string.
    var quoted: [UInt8] = []
    quoted.append(quoted: match)
    quoted.withUnsafeBufferPointer { quoted in
      let match = UnsafeBufferPointer(rebasing: quoted.dropFirst().dropLast())
      line.append(addingCapacity: room(change, match)) { output in
        output.withUnsafeMutableBufferPointer { buffer, count in
          guard let start = buffer.baseAddress else { return }
          var line = LineWriter(at: start + count)
          put(change, left, match, seq, to: &line)
          count = UnsafeRawPointer(line.end) - UnsafeRawPointer(start)
        }
      }
    }
  }

  /// Bytes enough for the line: all of its text, and each of its numbers at its longest.
  private static func room(_ change: Change, _ match: UnsafeBufferPointer<UInt8>) -> Int {
    match.count &+ (1 &+ change.others.count) &* 80 &+ 192
  }

  /// Puts all that follows the type.
  @inline(__always)
  private static func put(
    _ change: Change, _ left: Duration?, _ match: UnsafeBufferPointer<UInt8>, _ seq: Int,
    to line: inout LineWriter
  ) {
    line.put(",\"match\":\"")
    line.put(match)
    line.put("\",\"seq\":")
    line.put(seq)
    line.put(",\"cells\":[")
    put(change.placement, to: &line)
    for placement in change.others {
      line.put(",")
      put(placement, to: &line)
    }
    line.put("]")
    if let turn = change.turn {
      line.put(",\"turn\":\"")
      line.put(turn.rawValue)
      line.put("\"")
    }
    if let left {
      line.put(",\"left\":")
      line.put(left.milliseconds)
    }
    line.put(",\"hash\":\"")
    line.put(hex: change.hash)
    line.put("\"}\n")
  }

  @inline(__always)
  private static func put(_ placement: Placement, to line: inout LineWriter) {
    line.put("{\"row\":")
    line.put(placement.cell.row)
    line.put(",\"col\":")
    line.put(placement.cell.column)
    line.put(",\"mark\":\"")
    line.put(placement.mark.rawValue)
    line.put("\"}")
  }
}
