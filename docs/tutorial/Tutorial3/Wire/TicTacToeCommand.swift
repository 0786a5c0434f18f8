/// What the near end sends. Each is one line.
enum TicTacToeCommand: Equatable {
  case begin
  case place(Cell)
  case leave

  var line: String {
    switch self {
    case .begin: "begin"
    case .place(let cell): "place \(cell.row) \(cell.column)"
    case .leave: "leave"
    }
  }

  /// `nil` if the line is no command. Never trust what comes over a wire.
  init?(line: String) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, words.count, numbers.count) {
    case ("begin", 1, 0): self = .begin
    case ("place", 3, 2): self = .place(Cell(row: numbers[0], column: numbers[1]))
    case ("leave", 1, 0): self = .leave
    default: return nil
    }
  }
}
