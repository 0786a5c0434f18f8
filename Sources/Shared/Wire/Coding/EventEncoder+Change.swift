/// `boardDidChange`, the one event of the hot path: a `MatchEvent` would have to be made and copied for
/// it.
extension EventEncoder {
  /// Calls `body` with the event as one line.
  package static func withLine(
    _ change: Change, left: Duration?, match: QuotedName, seq: Int, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        line.put("{\"type\":\"boardDidChange\"")
        put(match, seq, to: &line)
        put(change, left: left, to: &line)
        line.put("}\n")
      }, body)
  }

  /// Puts what is the move's own.
  @inline(__always)
  static func put(_ change: Change, left: Duration?, to line: inout LineWriter) {
    line.put(",\"cells\":[")
    put(change.placement, to: &line)
    for placement in change.others {
      line.put(",")
      put(placement, to: &line)
    }
    line.put("]")
    line.put("turn", change.turn)
    line.put("left", left)
    line.put(",\"hash\":\"")
    line.put(hex: change.hash)
    line.put("\"")
  }

  @inline(__always)
  private static func put(_ placement: Placement, to line: inout LineWriter) {
    line.put("{\"row\":")
    line.put(placement.cell.row)
    line.put(",\"col\":")
    line.put(placement.cell.column)
    line.put("mark", placement.mark)
    line.put("}")
  }
}
