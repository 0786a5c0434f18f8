/// What the far end sends. Each is one line.
enum TicTacToeEvent: Equatable {
  case board(Board)
  case refused(MoveError)
  case over(Outcome)

  var line: String {
    switch self {
    case .board(let board): "board " + board.marks.map { $0?.rawValue ?? "." }.joined()
    case .refused(let refusal): "refused \(refusal.rawValue)"
    case .over(.won(let mark)): "over \(mark.rawValue)"
    case .over(.draw): "over draw"
    }
  }

  /// `nil` if the line is no event.
  init?(line: String) {
    let words = line.split(separator: " ")
    guard words.count == 2 else { return nil }
    let value = String(words[1])
    switch words[0] {
    case "board":
      guard value.count == 9, value.allSatisfy({ "XO.".contains($0) }) else { return nil }
      self = .board(Board(marks: value.map { Mark(rawValue: String($0)) }))
    case "refused":
      guard let refusal = MoveError(rawValue: value) else { return nil }
      self = .refused(refusal)
    case "over":
      if value == "draw" {
        self = .over(.draw)
      } else {
        guard let mark = Mark(rawValue: value) else { return nil }
        self = .over(.won(mark))
      }
    default: return nil
    }
  }
}
