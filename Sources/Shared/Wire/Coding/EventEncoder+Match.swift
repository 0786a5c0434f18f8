extension EventEncoder {
  /// Calls `body` with an event of a match as one line.
  package static func withLine(
    _ event: MatchEvent.Body, match: QuotedName, seq: Int, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        put(event, match, seq, nil, to: &line)
        line.put("}\n")
      }, body)
  }

  /// Calls `body` with the beginning of a game as one line.
  package static func withLine(
    _ state: GameState, match: QuotedName, seq: Int, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine(
      { line in
        put(start: state, match, seq, nil, to: &line)
        line.put("}\n")
      }, body)
  }

  private static func put(
    start state: GameState, _ match: QuotedName, _ seq: Int, _ re: RequestID?,
    to line: inout LineWriter
  ) {
    begin(.gameDidStart, re, &line)
    line.put("you", state.you)
    put(match, seq, to: &line)
    put(state, to: &line)
  }

  /// Puts all of an event but its end.
  static func put(
    _ event: MatchEvent.Body, _ match: QuotedName, _ seq: Int, _ re: RequestID?,
    to line: inout LineWriter
  ) {
    switch event {
    case .gameDidStart(let state):
      put(start: state, match, seq, re, to: &line)
    case .boardDidChange(let change, let left):
      begin(.boardDidChange, re, &line)
      put(match, seq, to: &line)
      put(change, left: left, to: &line)
    case .gameDidEnd(let outcome, let score):
      begin(.gameDidEnd, re, &line)
      put(match, seq, to: &line)
      put(outcome, to: &line)
      put(score, to: &line)
    case .presenceDidChange(let mark, let online, let grace):
      begin(.presenceDidChange, re, &line)
      put(match, seq, to: &line)
      line.put("mark", mark)
      line.put("online", online)
      line.put("grace", grace)
    case .matchDidEnd(let reason, let by, let score):
      begin(.matchDidEnd, re, &line)
      put(match, seq, to: &line)
      line.put("reason", plain: reason.rawValue)
      line.put("by", by)
      put(score, to: &line)
    case .didSay(let from, let text):
      begin(.didSay, re, &line)
      put(match, seq, to: &line)
      line.put("from", from)
      line.put("text", text)
    }
  }

  static func put(_ snapshot: MatchSnapshot, _ re: RequestID?, to line: inout LineWriter) {
    begin(.matchSnapshot, re, &line)
    line.put("you", snapshot.state.you)
    put(QuotedName(snapshot.match), snapshot.seq, to: &line)
    put(snapshot.state, to: &line)
    line.put(field: "online")
    line.put("{\"X\":")
    line.put(snapshot.online.x)
    line.put(",\"O\":")
    line.put(snapshot.online.o)
    line.put("}")
    line.put("over", snapshot.outcome != nil)
    if let outcome = snapshot.outcome { put(outcome, to: &line) }
  }

  static func put(_ players: PerMark<String>, to line: inout LineWriter) {
    line.put(",\"players\":{\"X\":")
    line.put(quoted: players.x)
    line.put(",\"O\":")
    line.put(quoted: players.o)
    line.put("}")
  }

  @inline(__always)
  static func put(_ match: QuotedName, _ seq: Int, to line: inout LineWriter) {
    line.put(",\"match\":")
    line.put(name: match)
    line.put("seq", seq)
  }

  /// Puts all of a game but `you`, whose place is in front.
  private static func put(_ state: GameState, to line: inout LineWriter) {
    let shape = state.board.shape
    line.put("game", state.game)
    put(state.players, to: &line)
    line.put("rows", shape.rows)
    line.put("cols", shape.columns)
    line.put("inARow", shape.inARow)
    line.put(",\"board\":[\"")
    // The rows are joined by `/`, and plain.
    for letter in state.board.text {
      if letter == UInt8(ascii: "/") { line.put("\",\"") } else { line.put(letter) }
    }
    line.put("\"]")
    line.put("turn", state.board.turn)
    put(state.score, to: &line)
    line.put("left", state.left)
  }

  private static func put(_ outcome: Outcome, to line: inout LineWriter) {
    line.put("result", plain: outcome.winner == nil ? "draw" : "win")
    line.put("winner", outcome.winner)
    line.put("reason", plain: outcome.reason.rawValue)
    guard let cells = outcome.line else { return }
    line.put(field: "line")
    line.put("[")
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.put(",") }
      line.put("[")
      line.put(cell.row)
      line.put(",")
      line.put(cell.column)
      line.put("]")
    }
    line.put("]")
  }

  private static func put(_ score: Score, to line: inout LineWriter) {
    line.put(",\"score\":{\"X\":")
    line.put(score.x)
    line.put(",\"O\":")
    line.put(score.o)
    line.put(",\"draws\":")
    line.put(score.draws)
    line.put("}")
  }
}
