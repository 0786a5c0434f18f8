import Shared

/// A game on the console, local or remote.
final class PlainTicTacToeView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private let console: Console
  private let game: GameInfo
  private let players: PerMark<Player>
  private let seat: Seat
  private var board: Board

  init(console: Console, game: GameInfo, setup: GameSetup) {
    self.console = console
    self.game = game
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
    let number = game.number(of: placement.cell)
    let target = game.dropsMarks ? "in column \(number)" : "on \(number)"
    console.say("\(players[placement.mark].name) puts \(placement.mark.letter) \(target).")
    showBoard()
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    console.say(ErrorCode(refusal).message)
    askIfItIsTheirTurn()
  }

  func announce(_ outcome: Outcome) {
    console.stopAsking()
    let own = Series(players).ownMark(at: seat)
    // The sentence of a win says so itself.
    if let own, outcome.winner == own.other, !outcome.isDraw {
      console.say("\(outcome.title(for: own, players: players)).")
    }
    console.say(outcome.sentence(for: own, players: players, shape: board.shape))
  }

  private func showBoard() {
    console.say(BoardDrawing.text(of: board, in: game))
    guard let turn = board.turn else { return }
    if seat.plays(turn), players[turn] != .bot {
      askIfItIsTheirTurn()
    } else {
      // A line that was typed before the server confirmed the last move has asked again.
      console.stopAsking()
      console.say("It is \(players[turn].name)'s turn.")
    }
  }

  private var prompt: String {
    (game.dropsMarks ? "in column " : "on ") + "(1 to \(game.numbers.upperBound))"
  }

  private func askIfItIsTheirTurn() {
    guard let turn = board.turn, seat.plays(turn), players[turn] != .bot else { return }
    console.ask("\(players[turn].name), put \(turn.letter) \(prompt): ")
  }
}

extension PlainTicTacToeView: ConsoleView {
  var isGameRunning: Bool { seat != .none && board.turn != nil }

  /// The commands of a spectator.
  static let helpWhileWatching = """
    leave        stop watching
    say TEXT     send a message to everyone in the match
    mute         hide chat messages; to show them again: unmute
    quit         end the program; also: exit, q
    Commands can be typed in capitals, too.
    """

  private static let isOnlyWatching =
    "You are only watching this match. To stop watching, type: leave"

  static func help(for game: GameInfo) -> String {
    let last = game.numbers.upperBound
    let place =
      game.dropsMarks
      ? "drop your mark in that column; they are 1 to \(last), from the left"
      : "put your mark on that cell; they are 1 to \(last), from the top left"
    return """
      NUMBER       \(place)
      place NUMBER the same
      place R C    the same with row and column, from 0 as in the protocol
      resign       lose this game
      leave        lose this game and leave the match
      say TEXT     send a message to everyone in the match
      mute         hide chat messages; to show them again: unmute
      quit         end the program; also: exit, q
      Commands can be typed in capitals, too.
      """
  }

  func didType(_ line: String) -> Bool {
    let typed = TypedLine(line)
    switch (typed.command, typed.rest) {
    case ("", _): askIfItIsTheirTurn()
    case ("help", _) where seat == .none: sayAndAsk(Self.helpWhileWatching)
    case ("place", _) where seat == .none, ("resign", nil) where seat == .none:
      sayAndAsk(Self.isOnlyWatching)
    case (let number, nil) where seat == .none && Int(number) != nil:
      sayAndAsk(Self.isOnlyWatching)
    case ("resign", nil): listener?.resign(by: nil)
    case ("leave", nil), ("mute", nil), ("unmute", nil), ("say", _?): return false
    case ("help", _): sayAndAsk(Self.help(for: game))
    case ("place", let rest): place(rest ?? "")
    case (let number, nil) where Int(number) != nil: place(number)
    default:
      let advice = seat == .none ? "To see" : "\(howToPlace); to see"
      sayAndAsk("“\(line.trimmed)” is not a command. \(advice) the commands, type: help")
    }
    return true
  }

  private func sayAndAsk(_ sentence: String) {
    console.say(sentence)
    askIfItIsTheirTurn()
  }

  private var howToPlace: String {
    "To place your mark, type a number from 1 to \(game.numbers.upperBound)"
  }

  /// Places a mark. `text` is the number of a cell or column, or a row and a column from 0.
  private func place(_ text: String) {
    let numbers = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
    switch (numbers.first, numbers.dropFirst().first) {
    case (let number??, nil):
      let unit = game.dropsMarks ? "column" : "cell"
      guard game.numbers.contains(number) else {
        return sayAndAsk(
          "There is no \(unit) \(number). The \(unit)s are 1 to \(game.numbers.upperBound).")
      }
      listener?.place(at: game.cell(numbered: number, on: board), by: nil)
    case (let row??, let column??) where numbers.count == 2:
      let cell = Cell(row: row, column: column)
      guard game.shape.contains(cell) else {
        return sayAndAsk(
          "There is no row \(row) with a column \(column): the last row is"
            + " \(game.shape.rows - 1), the last column \(game.shape.columns - 1).")
      }
      listener?.place(at: cell, by: nil)
    default: sayAndAsk("\(howToPlace), with or without “place” before it.")
    }
  }
}

/// Draws a board in plain characters. An open cell shows the number that a player types for it. A
/// board with three-digit numbers has no spaces and no lines between its rows, so that gomoku fits
/// into 80 columns and 24 rows.
enum BoardDrawing {
  static func text(of board: Board, in game: GameInfo) -> String {
    let shape = board.shape
    let width = String(game.numbers.upperBound).count
    let isDense = width > 2
    let space = isDense ? "" : " "
    func isEdge(_ index: Int) -> Bool { game.groupSide.map { index % $0 == 0 } ?? false }
    let columns = Array(0..<shape.columns)
    func line(_ character: String) -> String {
      columns.map { column in
        (column == 0 ? "" : isEdge(column) ? "++" : "+")
          + String(repeating: character, count: width + 2)
      }.joined()
    }
    let rows = (0..<shape.rows).map { row in
      columns.map { column in
        let cell = Cell(row: row, column: column)
        let text =
          board[cell]?.letter
          ?? (game.isOffered(cell, on: board) ? String(game.number(of: cell)) : ".")
        return (column == 0 ? "" : isEdge(column) ? "||" : "|") + space
          + String(repeating: " ", count: width - text.count) + text + space
      }.joined().trimmedAtEnd
    }
    return rows.enumerated().map { row, text in
      row == 0 || isDense ? text : line(isEdge(row) ? "=" : "-") + "\n" + text
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    String(prefix { _ in true }.reversed().drop { $0 == " " }.reversed())
  }
}
