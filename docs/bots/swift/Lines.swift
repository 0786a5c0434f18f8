/// A command. What is `nil` is left out of its line.
struct Command: Encodable {
  var type: String
  var id: Int?
  var name, password, token, opponent, game: String?
  var row, col, seq: Int?

  init(_ type: String) { self.type = type }
}

/// An event. Fields and types that this program does not know are ignored.
struct Event: Decodable {
  struct Cell: Decodable {
    let row, col: Int
    let mark: String
  }

  struct Players: Decodable {
    let X, O: String
  }

  struct Score: Decodable {
    let X, O, draws: Int
  }

  let type: String
  let re: Int?
  let `protocol`, seq, inARow, retry: Int?
  let token, place, from, game, text, code, message, to, match, you, turn, hash: String?
  let result, winner, reason: String?
  let players: Players?
  let score: Score?
  let board: [String]?
  let cells: [Cell]?
  let open: [[Int]]?
}
