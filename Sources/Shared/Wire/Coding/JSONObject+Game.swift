/// Fields that several events have. Each method throws a `LineError` with the name of a field:
/// `missingField`, or `badField` for a value that is not allowed.
extension JSONObject {
  /// A player's name: 1 to `ProtocolLimits.maxNameLength` characters, none of them a control
  /// character.
  func name(_ field: JSONName) throws(LineError) -> String {
    try visible(field, try string(field), max: ProtocolLimits.maxNameLength)
  }

  func nameIfPresent(_ field: JSONName) throws(LineError) -> String? {
    guard let name = try stringIfPresent(field) else { return nil }
    return try visible(field, name, max: ProtocolLimits.maxNameLength)
  }

  /// Chat: 1 to `ProtocolLimits.maxMessageLength` characters, none of them a control character.
  func remark(_ field: JSONName) throws(LineError) -> String {
    try visible(field, try string(field), max: ProtocolLimits.maxMessageLength)
  }

  /// A sentence for a person. The protocol does not limit it; characters beyond
  /// `ProtocolLimits.maxSentenceLength` are cut off.
  func sentence(_ field: JSONName) throws(LineError) -> String {
    let text = try string(field)
    // Each scalar has 1 to 4 bytes, so a short text need not be counted.
    guard text.utf8.count > ProtocolLimits.maxSentenceLength else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.prefix(ProtocolLimits.maxSentenceLength)))
  }

  private func visible(_ field: JSONName, _ text: String, max: Int) throws(LineError) -> String {
    guard text.isVisible(ofLength: 1...max) else { throw LineError(.badField, field: field.text) }
    return text
  }

  /// The number of an event in its match, from 1.
  func seq() throws(LineError) -> Int {
    let seq = try integer("seq")
    guard seq >= 1 else { throw LineError(.badField, field: "seq") }
    return seq
  }

  func mark(_ name: JSONName) throws(LineError) -> Mark {
    try required(name, try markIfPresent(name))
  }

  func markIfPresent(_ name: JSONName) throws(LineError) -> Mark? {
    switch try stringIfPresent(name) {
    case nil: return nil
    case "X": return .x
    case "O": return .o
    default: throw LineError(.badField, field: name.text)
    }
  }

  func players() throws(LineError) -> PerMark<String> {
    let players = try object("players")
    return PerMark(x: try players.name("X"), o: try players.name("O"))
  }

  func scoreIfPresent() throws(LineError) -> Score? {
    has("score") ? try score() : nil
  }

  func score() throws(LineError) -> Score {
    let score = try object("score")
    return Score(
      x: try score.count("X"), o: try score.count("O"), draws: try score.count("draws"))
  }

  /// An integer that is not negative.
  func count(_ field: JSONName) throws(LineError) -> Int {
    try required(field, try countIfPresent(field))
  }

  func countIfPresent(_ field: JSONName) throws(LineError) -> Int? {
    let count = try integerIfPresent(field)
    guard count ?? 0 >= 0 else { throw LineError(.badField, field: field.text) }
    return count
  }

  /// A running game has a `turn`; a game that is over has none.
  func gameState(isOver: Bool = false) throws(LineError) -> GameState {
    let shape = BoardShape(
      rows: try integer("rows"), columns: try integer("cols"), inARow: try integer("inARow"))
    guard let shape else { throw LineError(.badField, field: "rows") }
    let rows = try strings("board")
    let turn = try markIfPresent("turn")
    let open = try cellsIfPresent("open")
    let lastMove = has("lastMove") ? try object("lastMove").placement() : nil
    guard let board = Board(shape, rows: rows, turn: turn, open: open, lastMove: lastMove) else {
      throw LineError(.badField, field: "board")
    }
    guard (turn == nil) == isOver else {
      throw LineError(isOver ? .badField : .missingField, field: "turn")
    }
    return GameState(
      game: try string("game"), you: try markIfPresent("you"), players: try players(),
      board: board, score: try score(), level: try choiceIfPresent("level"),
      timeLeft: try durationIfPresent("left"))
  }

  func change() throws(LineError) -> Change {
    let cells = try objects("cells")
    guard cells.count == 1 else { throw LineError(.badField, field: "cells") }
    return Change(
      try cells[0].placement(), turn: try markIfPresent("turn"), open: try cellsIfPresent("open"),
      hash: try hash())
  }

  private func placement() throws(LineError) -> Placement {
    Placement(
      cell: Cell(row: try coordinate("row"), column: try coordinate("col")), mark: try mark("mark"))
  }

  /// A row or a column of a board.
  private func coordinate(_ field: JSONName) throws(LineError) -> Int {
    let index = try integer(field)
    guard BoardShape.coordinates.contains(index) else {
      throw LineError(.badField, field: field.text)
    }
    return index
  }

  private func hash() throws(LineError) -> UInt32 {
    let digits = try string("hash")
    let isHash = digits.utf8.count == 8 && digits.utf8.allSatisfy(Self.isLowerHex)
    guard isHash, let hash = UInt32(digits, radix: 16) else {
      throw LineError(.badField, field: "hash")
    }
    return hash
  }

  private static func isLowerHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  /// Only a full board can be a draw, and only a win by a line has a `line`.
  func outcome() throws(LineError) -> Outcome {
    let winner = try markIfPresent("winner")
    guard try string("result") == (winner == nil ? "draw" : "win") else {
      throw LineError(.badField, field: "result")
    }
    let reason: Outcome.Reason = try choice("reason")
    guard (reason == .full) == (winner == nil) else {
      throw LineError(.badField, field: "reason")
    }
    let line = try cellsIfPresent("line")
    guard line == nil || reason == .line else { throw LineError(.badField, field: "line") }
    return Outcome(winner: winner, reason: reason, line: line)
  }

  func gameSummary() throws(LineError) -> GameSummary {
    GameSummary(
      id: try string("id"), name: try string("name"), rows: try integer("rows"),
      columns: try integer("cols"), inARow: try integer("inARow"))
  }
}

extension JSONReader {
  /// Returns the value of an `id` or `re`; `nil` if it is not a valid one.
  func requestID(_ node: JSONNode) -> RequestID? {
    switch node {
    case .integer(let integer):
      return .integer(integer)
    case .string(let text):
      let string = string(text)
      return (1...ProtocolLimits.maxIDLength).contains(string.unicodeScalars.count)
        ? .text(string) : nil
    case .null, .bool, .number, .object, .array:
      return nil
    }
  }
}
