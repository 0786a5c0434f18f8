import RIBs

/// Draws the board in lines, and reads a move as two numbers.
final class TicTacToeView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private let console: Console
  private let players: Players

  init(console: Console, players: Players) {
    self.console = console
    self.players = players
  }

  func show(_ board: Board) {
    console.say("  1 2 3")
    for (index, row) in board.rows.enumerated() {
      let marks = row.map { $0?.rawValue ?? "." }
      console.say("\(index + 1) " + marks.joined(separator: " "))
    }
    if let turn = board.turn { console.say("\(players[turn]) (\(turn.rawValue)): row and column?") }
  }

  func refuse(_ refusal: MoveError) {
    switch refusal {
    case .taken: console.say("This cell is taken.")
    case .outOfBoard: console.say("There is no such cell.")
    case .gameOver: console.say("The game is over.")
    }
  }

  func announce(_ outcome: Outcome) {
    switch outcome {
    case .won(let mark): console.say("\(players[mark]) wins.")
    case .draw: console.say("Nobody wins.")
    }
  }
}

extension TicTacToeView: ConsoleView {
  func didType(_ line: String) {
    let numbers = line.split(separator: " ").map { Int($0) }
    guard numbers.count == 2, let row = numbers[0], let column = numbers[1] else {
      return console.say("Type a row and a column, such as: 2 3")
    }
    listener?.place(at: Cell(row: row, column: column))
  }
}
