extension EventEncoder {
  /// Bytes enough for all that a picture tells but its texts and its board.
  private static let pictureRoom = 512

  /// Appends an event of a match as one line.
  package static func append(_ event: MatchEvent, re: RequestID? = nil, to line: inout [UInt8]) {
    let (match, seq) = (event.match, event.seq)
    switch event.body {
    case .gameDidStart(let picture):
      append(
        .gameDidStart, re, you: picture.you, room: room(match) + room(picture), to: &line
      ) { line in
        append(match, seq, to: &line)
        append(picture, to: &line)
      }
    case .boardDidChange(let change, let left):
      append(change, left: left, match: match, seq: seq, re: re, to: &line)
    case .gameDidEnd(let outcome, let score):
      append(.gameDidEnd, re, room: room(match) + room(outcome), to: &line) { line in
        append(match, seq, to: &line)
        append(outcome, to: &line)
        append(score, to: &line)
      }
    case .presenceDidChange(let mark, let online, let grace):
      append(.presenceDidChange, re, room: room(match), to: &line) { line in
        append(match, seq, to: &line)
        line.append("mark", mark)
        line.append(field: "online")
        line.append(online)
        line.append("grace", grace)
      }
    case .matchDidEnd(let reason, let by, let score):
      append(.matchDidEnd, re, room: room(match), to: &line) { line in
        append(match, seq, to: &line)
        line.append("reason", reason.rawValue)
        line.append("by", by)
        append(score, to: &line)
      }
    case .didSay(let from, let text):
      append(.didSay, re, room: room(match) + room(from) + room(text), to: &line) { line in
        append(match, seq, to: &line)
        line.append("from", from)
        line.append("text", text)
      }
    }
  }

  static func append(_ snapshot: MatchSnapshot, re: RequestID?, to line: inout [UInt8]) {
    let room =
      room(snapshot.match) + room(snapshot.picture) + (snapshot.outcome.map(room) ?? 0)
    append(.matchSnapshot, re, you: snapshot.picture.you, room: room, to: &line) { line in
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
  }

  static func append(_ players: PerMark<String>, to line: inout OutputSpan<UInt8>) {
    line.append(field: "players")
    line.append(json: "{\"X\":")
    line.append(quoted: players.x)
    line.append(json: ",\"O\":")
    line.append(quoted: players.o)
    line.append(json: "}")
  }

  private static func append(_ match: String, _ seq: Int, to line: inout OutputSpan<UInt8>) {
    line.append(json: ",\"match\":")
    line.append(quoted: match)
    line.append("seq", seq)
  }

  /// Appends all of a picture but `you`, whose place is in front.
  private static func append(_ picture: GamePicture, to line: inout OutputSpan<UInt8>) {
    let shape = picture.board.shape
    line.append("game", picture.game)
    append(picture.players, to: &line)
    line.append("rows", shape.rows)
    line.append("cols", shape.columns)
    line.append("inARow", shape.inARow)
    line.append(field: "board")
    line.append(json: "[")
    append(picture.board, to: &line)
    line.append(json: "]")
    line.append("turn", picture.board.turn)
    append(picture.score, to: &line)
    line.append("left", picture.left)
  }

  /// Appends the rows of a board, which are plain.
  private static func append(_ board: Board, to line: inout OutputSpan<UInt8>) {
    line.append(json: "\"")
    for letter in board.text {
      if letter == UInt8(ascii: "/") { line.append(json: "\",\"") } else { line.append(letter) }
    }
    line.append(json: "\"")
  }

  private static func append(_ outcome: Outcome, to line: inout OutputSpan<UInt8>) {
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

  private static func append(_ score: Score, to line: inout OutputSpan<UInt8>) {
    line.append(field: "score")
    line.append(json: "{\"X\":")
    line.append(decimal: score.x)
    line.append(json: ",\"O\":")
    line.append(decimal: score.o)
    line.append("draws", score.draws)
    line.append(json: "}")
  }

  private static func room(_ picture: GamePicture) -> Int {
    let names = room(picture.players.x) + room(picture.players.o)
    return pictureRoom + room(picture.game) + names + 3 * picture.board.text.count
  }

  private static func room(_ outcome: Outcome) -> Int { 128 + 48 * (outcome.line?.count ?? 0) }
}
