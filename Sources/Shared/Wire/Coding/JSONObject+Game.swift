/// Fields that several events have.
extension JSONObject {
  func mark(_ name: JSONName) throws(LineError) -> Mark {
    guard let mark = try markIfPresent(name) else {
      throw LineError(.missingField, field: name.text)
    }
    return mark
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
    return PerMark(x: try players.string("X"), o: try players.string("O"))
  }

  func score() throws(LineError) -> Score {
    let score = try object("score")
    return Score(
      x: try score.integer("X"), o: try score.integer("O"), draws: try score.integer("draws"))
  }

  func gameState() throws(LineError) -> GameState {
    let shape = BoardShape(
      rows: try integer("rows"), columns: try integer("cols"), inARow: try integer("inARow"))
    guard let shape else { throw LineError(.badField, field: "rows") }
    let rows = try strings("board")
    guard let board = Board(shape, rows: rows, turn: try markIfPresent("turn")) else {
      throw LineError(.badField, field: "board")
    }
    return GameState(
      game: try string("game"), you: try markIfPresent("you"), players: try players(),
      board: board, score: try score(), timeLeft: try durationIfPresent("left"))
  }

  func change() throws(LineError) -> Change {
    var placements: [Placement] = []
    for cell in try objects("cells") { placements.append(try cell.placement()) }
    guard let first = placements.first else { throw LineError(.badField, field: "cells") }
    return Change(
      first, others: Array(placements.dropFirst()), turn: try markIfPresent("turn"),
      hash: try hash())
  }

  private func placement() throws(LineError) -> Placement {
    Placement(
      cell: Cell(row: try integer("row"), column: try integer("col")), mark: try mark("mark"))
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

  func outcome() throws(LineError) -> Outcome {
    let winner = try markIfPresent("winner")
    guard try string("result") == (winner == nil ? "draw" : "win") else {
      throw LineError(.badField, field: "result")
    }
    return Outcome(
      winner: winner, reason: try choice("reason"), line: try cellsIfPresent("line"))
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
      let length = string.unicodeScalars.count
      return (1...ProtocolLimits.maxIDLength).contains(length) ? .text(string) : nil
    case .null, .bool, .number, .object, .array:
      return nil
    }
  }
}
