/// Fields that several events have.
extension LineWriter {
  /// Puts the start of an event's line.
  mutating func begin(_ type: EventType, _ re: RequestID?) {
    put("{\"type\":")
    put(plain: type.rawValue)
    put("re", re)
  }

  /// Puts `re` or `id`.
  @inline(__always)
  package mutating func put(_ name: StaticString, _ id: RequestID?) {
    switch id {
    case .integer(let integer): put(name, integer)
    case .text(let text): put(name, text)
    case nil: break
    }
  }

  /// Puts a time in milliseconds.
  @inline(__always)
  package mutating func put(_ name: StaticString, _ time: Duration?) {
    put(name, time?.milliseconds)
  }

  @inline(__always)
  mutating func put(_ name: StaticString, _ mark: Mark?) {
    guard let mark else { return }
    put(field: name)
    put(UInt8(ascii: "\""))
    put(mark.rawValue)
    put(UInt8(ascii: "\""))
  }

  @inline(__always)
  mutating func put(match: QuotedName, seq: Int) {
    put(",\"match\":")
    put(name: match)
    put("seq", seq)
  }

  /// Puts the fields of a move. `timeLeft` is the time for the next move.
  @inline(__always)
  mutating func put(_ change: Change, timeLeft: EncodedTime?) {
    put(",\"cells\":[")
    put(change.placement)
    put("]")
    put("turn", change.turn)
    if let open = change.open { put("open", open) }
    if let timeLeft {
      put(",\"left\":")
      put(time: timeLeft)
    }
    put(",\"hash\":\"")
    put(hex: change.hash)
    put("\"")
  }

  @inline(__always)
  private mutating func put(_ placement: Placement) {
    put("{\"row\":")
    put(placement.cell.row)
    put(",\"col\":")
    put(placement.cell.column)
    put("mark", placement.mark)
    put("}")
  }

  /// Puts the fields of a game except `you`, which comes earlier in the line. `timeLeft` replaces
  /// that of the state.
  mutating func put(_ state: GameState, timeLeft: EncodedTime?) {
    let shape = state.board.shape
    put("game", state.game)
    put(state.players)
    put("rows", shape.rows)
    put("cols", shape.columns)
    put("inARow", shape.inARow)
    put(field: "board")
    put(rowsOf: state.board)
    put("turn", state.board.turn)
    put(state.score)
    put("level", plain: state.level?.rawValue)
    if let open = state.board.open { put("open", open) }
    // Never at the beginning of a game.
    if let last = state.board.lastMove {
      put(",\"lastMove\":")
      put(last)
    }
    if let timeLeft {
      put(",\"left\":")
      put(time: timeLeft)
    }
  }

  mutating func put(rowsOf board: Board) {
    put("[\"")
    // The rows are joined by `/`, and plain.
    for letter in board.text {
      if letter == UInt8(ascii: "/") { put("\",\"") } else { put(letter) }
    }
    put("\"]")
  }

  package mutating func put(_ players: PerMark<String>) {
    put(",\"players\":{\"X\":")
    put(quoted: players.x)
    put(",\"O\":")
    put(quoted: players.o)
    put("}")
  }

  package mutating func put(_ score: Score) {
    put(",\"score\":{\"X\":")
    put(score.x)
    put(",\"O\":")
    put(score.o)
    put(",\"draws\":")
    put(score.draws)
    put("}")
  }

  mutating func put(_ outcome: Outcome) {
    put("result", plain: outcome.winner == nil ? "draw" : "win")
    put("winner", outcome.winner)
    put("reason", plain: outcome.reason.rawValue)
    if let line = outcome.line { put("line", line) }
  }

  /// Puts cells as `[[row,col],…]`.
  private mutating func put(_ name: StaticString, _ cells: [Cell]) {
    put(field: name)
    put("[")
    for (index, cell) in cells.enumerated() {
      if index > 0 { put(",") }
      put("[")
      put(cell.row)
      put(",")
      put(cell.column)
      put("]")
    }
    put("]")
  }

  mutating func put(_ game: GameSummary) {
    put("{\"id\":")
    put(quoted: game.id)
    put("name", game.name)
    put("rows", game.rows)
    put("cols", game.columns)
    put("inARow", game.inARow)
    put("}")
  }

  mutating func put(_ limits: Limits) {
    put("{\"line\":")
    put(limits.line)
    put("loginWithin", limits.loginWithin)
    put("resumeWithin", limits.resumeWithin)
    put("inviteWithin", limits.inviteWithin)
    put("turn", limits.turn)
    put("idle", limits.idle)
    put("perSecond", limits.perSecond)
    put("burst", limits.burst)
    put("}")
  }
}
