extension EventEncoder {
  /// Appends an event of a match as one line.
  package static func append(_ event: MatchEvent, re: RequestID? = nil, to line: inout [UInt8]) {
    switch event.body {
    case .gameDidStart(let picture):
      begin(.gameDidStart, re, you: picture.you, &line)
      append(event.match, event.seq, to: &line)
      append(picture, to: &line)
    case .boardDidChange(let change, let left):
      return append(
        change, left: left, match: event.match, seq: event.seq, re: re, to: &line)
    case .gameDidEnd(let outcome, let score):
      begin(.gameDidEnd, re, &line)
      append(event.match, event.seq, to: &line)
      append(outcome, to: &line)
      append(score, to: &line)
    case .presenceDidChange(let mark, let online, let grace):
      begin(.presenceDidChange, re, &line)
      append(event.match, event.seq, to: &line)
      line.append("mark", mark)
      line.append(field: "online")
      line.append(online)
      line.append("grace", grace)
    case .matchDidEnd(let reason, let by, let score):
      begin(.matchDidEnd, re, &line)
      append(event.match, event.seq, to: &line)
      line.append("reason", reason.rawValue)
      line.append("by", by)
      append(score, to: &line)
    case .didSay(let from, let text):
      begin(.didSay, re, &line)
      append(event.match, event.seq, to: &line)
      line.append("from", from)
      line.append("text", text)
    }
    line.append(json: "}\n")
  }

  static func append(_ snapshot: MatchSnapshot, to line: inout [UInt8]) {
    append(snapshot.match, snapshot.seq, to: &line)
    append(snapshot.picture, to: &line)
    line.append(field: "online")
    line.append(json: "{\"X\":")
    line.append(snapshot.online.x)
    line.append(json: ",\"O\":")
    line.append(snapshot.online.o)
    line.append(json: "}")
    line.append(field: "over")
    line.append(snapshot.outcome != nil)
    if let outcome = snapshot.outcome { append(outcome, to: &line) }
  }

  static func append(_ players: PerMark<String>, to line: inout [UInt8]) {
    line.append(field: "players")
    line.append(json: "{\"X\":")
    line.append(quoted: players.x)
    line.append(json: ",\"O\":")
    line.append(quoted: players.o)
    line.append(json: "}")
  }

  private static func append(_ match: String, _ seq: Int, to line: inout [UInt8]) {
    line.append(json: ",\"match\":")
    line.append(quoted: match)
    line.append(addingCapacity: 30) { output in
      output.append(json: ",\"seq\":")
      output.append(decimal: seq)
    }
  }

  /// Appends all of a picture but `you`, whose place is in front.
  private static func append(_ picture: GamePicture, to line: inout [UInt8]) {
    let shape = picture.board.shape
    line.append("game", picture.game)
    append(picture.players, to: &line)
    line.append("rows", shape.rows)
    line.append("cols", shape.columns)
    line.append("inARow", shape.inARow)
    line.append(field: "board")
    line.append(json: "[")
    for (index, row) in picture.board.rows.enumerated() {
      if index > 0 { line.append(json: ",") }
      line.append(quoted: row)
    }
    line.append(json: "]")
    line.append("turn", picture.board.turn)
    append(picture.score, to: &line)
    line.append("left", picture.left)
  }

  private static func append(_ outcome: Outcome, to line: inout [UInt8]) {
    line.append("result", outcome.winner == nil ? "draw" : "win")
    line.append("winner", outcome.winner)
    line.append("reason", outcome.reason.rawValue)
    guard let cells = outcome.line else { return }
    line.append(field: "line")
    line.append(json: "[")
    for (index, cell) in cells.enumerated() {
      line.append(json: index > 0 ? ",[" : "[")
      line.append(decimal: cell.row)
      line.append(json: ",")
      line.append(decimal: cell.column)
      line.append(json: "]")
    }
    line.append(json: "]")
  }

  private static func append(_ score: Score, to line: inout [UInt8]) {
    line.append(field: "score")
    line.append(json: "{\"X\":")
    line.append(decimal: score.x)
    line.append(json: ",\"O\":")
    line.append(decimal: score.o)
    line.append("draws", score.draws)
    line.append(json: "}")
  }
}
