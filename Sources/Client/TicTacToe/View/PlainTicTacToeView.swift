import Shared

/// A game on the console, local or remote.
final class PlainTicTacToeView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private let console: Console
  private let players: PerMark<Player>
  private let seat: Seat
  private var board: Board

  init(console: Console, setup: GameSetup) {
    self.console = console
    players = setup.series.players
    seat = setup.seat
    board = setup.board
  }

  func show(_ board: Board) {
    self.board = board
    console.say("\(players.x.name) plays X, \(players.o.name) plays O.")
    showBoard()
  }

  func apply(_ change: Change) {
    guard board.apply(change) else { return }
    let placement = change.placement
    let number = board.shape.index(of: placement.cell) + 1
    console.say("\(players[placement.mark].name) puts \(placement.mark.letter) on \(number).")
    showBoard()
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    console.say(ErrorCode(refusal).message)
    askIfItIsTheirTurn()
  }

  func announce(_ outcome: Outcome) {
    console.stopAsking()
    console.say(outcome.sentence(players: players, shape: board.shape))
  }

  private func showBoard() {
    console.say(BoardDrawing.text(of: board))
    guard let turn = board.turn else { return }
    if seat.plays(turn), players[turn] != .bot {
      askIfItIsTheirTurn()
    } else {
      // A line that was typed before the server confirmed the last move has asked again.
      console.stopAsking()
      console.say("It is \(players[turn].name)'s turn.")
    }
  }

  private func askIfItIsTheirTurn() {
    guard let turn = board.turn, seat.plays(turn), players[turn] != .bot else { return }
    console.ask("\(players[turn].name), put \(turn.letter) on (1 to \(board.shape.cellCount)): ")
  }
}

extension PlainTicTacToeView: ConsoleView {
  static let help = """
    1, 2, 3 …    put your mark on that cell; they count from the top left
    resign       lose this game
    leave        lose this game and leave the match
    say TEXT     send a message to everyone in the match
    mute         hide chat messages; to show them again: unmute
    quit         end the program
    """

  func didType(_ line: String) -> Bool {
    let word = line.trimmed
    if let number = Int(word) {
      place(number)
    } else if word == "resign" {
      listener?.resign(by: nil)
    } else if ["leave", "mute", "unmute"].contains(word) || word.remark != nil {
      return false
    } else {
      if ["help", "?"].contains(word) {
        console.say(Self.help)
      } else if !word.isEmpty {
        console.say("“\(word)” is not a command. To see the commands, type: help")
      }
      askIfItIsTheirTurn()
    }
    return true
  }

  private func place(_ number: Int) {
    guard (1...board.shape.cellCount).contains(number) else {
      console.say("There is no cell \(number). The cells are 1 to \(board.shape.cellCount).")
      return askIfItIsTheirTurn()
    }
    listener?.place(at: board.shape.cell(at: number - 1), by: nil)
  }
}

/// Draws a board in plain characters. A free cell shows the number that a player types for it.
enum BoardDrawing {
  static func text(of board: Board) -> String {
    let shape = board.shape
    let width = String(shape.cellCount).count
    let rule = Array(repeating: String(repeating: "-", count: width + 2), count: shape.columns)
      .joined(separator: "+")
    let rows = (0..<shape.rows).map { row in
      (0..<shape.columns).map { column in
        let cell = Cell(row: row, column: column)
        let text = board[cell]?.letter ?? String(shape.index(of: cell) + 1)
        return " " + String(repeating: " ", count: width - text.count) + text
      }.joined(separator: " |")
    }
    return rows.joined(separator: "\n" + rule + "\n")
  }
}
