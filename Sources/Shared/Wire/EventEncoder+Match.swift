extension EventEncoder {
  /// Appends an event of a match as one line.
  package static func append(_ event: MatchEvent, re: RequestID? = nil, to line: inout [UInt8]) {
    switch event.body {
    case .gameDidStart(let picture):
      begin(.gameDidStart, re, you: picture.you, &line)
      append(event.match, event.seq, to: &line)
      append(picture, to: &line)
    case .boardDidChange(let change):
      begin(.boardDidChange, re, &line)
      append(event.match, event.seq, to: &line)
      append(change, to: &line)
    case .gameDidEnd(let outcome, let score):
      begin(.gameDidEnd, re, &line)
      append(event.match, event.seq, to: &line)
      append(outcome, to: &line)
      append(score, to: &line)
    case .matchDidEnd(let reason, let by, let score):
      begin(.matchDidEnd, re, &line)
      append(event.match, event.seq, to: &line)
      line.append("reason", reason.rawValue)
      line.append("by", by)
      append(score, to: &line)
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
    line.append("match", match)
    line.append("seq", seq)
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
  }

  private static func append(_ change: Change, to line: inout [UInt8]) {
    line.append(field: "cells")
    line.append(json: "[")
    append(change.placement, to: &line)
    for placement in change.others {
      line.append(json: ",")
      append(placement, to: &line)
    }
    line.append(json: "]")
    line.append("turn", change.turn)
    line.append(field: "hash")
    line.append(json: "\"")
    line.append(hex: change.hash)
    line.append(json: "\"")
  }

  private static func append(_ placement: Placement, to line: inout [UInt8]) {
    line.append(json: "{\"row\":")
    line.append(placement.cell.row)
    line.append("col", placement.cell.column)
    line.append("mark", placement.mark)
    line.append(json: "}")
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
      line.append(cell.row)
      line.append(json: ",")
      line.append(cell.column)
      line.append(json: "]")
    }
    line.append(json: "]")
  }

  private static func append(_ score: Score, to line: inout [UInt8]) {
    line.append(field: "score")
    line.append(json: "{\"X\":")
    line.append(score.x)
    line.append(json: ",\"O\":")
    line.append(score.o)
    line.append("draws", score.draws)
    line.append(json: "}")
  }
}
