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
    let target = (game.dropsMarks ? "in column " : "on ") + game.name(of: placement.cell)
    console.say("\(players[placement.mark].name) puts \(placement.mark.letter) \(target).")
    showBoard()
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    sayAndAsk(ErrorCode(refusal).message)
  }

  func announce(_ outcome: Outcome) {
    console.stopAsking()
    let own = Series(players).ownMark(at: seat)
    // The sentence of a win says so itself.
    if let own, outcome.winner == own.other, !outcome.isDraw {
      console.say("\(outcome.title(for: own, players: players)).")
    }
    console.say(outcome.sentence(for: own, players: players, game: game))
  }

  private func showBoard() {
    console.say(BoardDrawing.text(of: board, in: game, lastMove: board.lastMove?.cell))
    guard let turn = board.turn else { return }
    if seat.plays(turn), players[turn] != .bot { return askOrListen() }
    // A line that was typed before the server confirmed the last move has asked again.
    console.stopAsking()
    console.say("It is \(players[turn].name)'s turn.")
    askOrListen()
  }

  /// Asks a player who is to move. A spectator is not asked, and may type at any time.
  private func askOrListen() {
    guard let turn = board.turn else { return }
    if seat == .none {
      console.listen { !CommandWords.lobby.contains($0.command) }
    } else if seat.plays(turn), players[turn] != .bot {
      let place = game.dropsMarks ? "in column" : "on"
      // Else the end of a message that was begun in the opponent's turn could be a move.
      console.ask(
        "\(players[turn].name), put \(turn.letter) \(place) (\(game.moveRange)): ",
        takesTyped: true)
    }
  }
}

extension PlainTicTacToeView: ConsoleView {
  var isGameRunning: Bool { seat != .none && board.turn != nil }

  /// The commands of a spectator.
  static let helpWhileWatching = """
    board        show the board again
    leave        stop watching
    say TEXT     send a message to everyone in the match
    mute         hide chat messages; to show them again: unmute
    quit         end the program; also: exit, q
    Commands can be typed in capitals, too.
    """

  private static let isOnlyWatching =
    "You are only watching this match. To stop watching, type: leave"

  static func help(for game: GameInfo, hasChat: Bool) -> String {
    let chat = """
      say TEXT     send a message to everyone in the match
      mute         hide chat messages; to show them again: unmute

      """
    return """
      To win: \(game.goal).
      \(helpToPlace(in: game))
                   with or without the word place: place \(game.hasLabels ? "b3" : "2")
      board        show the board again
      resign       lose this game
      leave        lose this game and leave the match
      \(hasChat ? chat : "")\
      quit         end the program; also: exit, q
      Commands can be typed in capitals, too.
      """
  }

  private static func helpToPlace(in game: GameInfo) -> String {
    if game.dropsMarks {
      return """
        2            drop your mark in that column; they are \(game.moveRange), from the left
        6 2, b6      the same with the row where it lands, counted from the top
        """
    }
    guard game.hasLabels else {
      return """
        2            put your mark on that cell; they are \(game.moveRange), from the top left
        1 2, b1      the same with row and column, counted from 1
        """
    }
    return """
      b3           put your mark in column b, row 3; the cells are \(game.moveRange)
      3 2          the same with row and column, counted from 1
      """
  }

  func didType(_ line: String) -> Bool {
    let typed = TypedLine(line)
    switch (typed.command, typed.rest) {
    case ("", _): askOrListen()
    case ("help", _):
      sayAndAsk(
        seat == .none ? Self.helpWhileWatching : Self.help(for: game, hasChat: seat != .both))
    case ("board", nil): showBoard()
    case ("leave", nil):
      // What a script says next is for the lobby.
      if seat == .none { console.stopAsking() }
      return false
    case ("mute", nil), ("unmute", nil), ("say", _?): return false
    case ("resign", nil) where seat == .none, ("place", _) where seat == .none:
      sayAndAsk(Self.isOnlyWatching)
    case ("resign", nil): listener?.resign(by: nil)
    case ("place", let rest):
      if let move = TypedMove(rest ?? "") {
        place(move)
      } else {
        sayAndAsk("\(game.howToPlace), with or without “place” before it.")
      }
    default:
      if let move = TypedMove(line) { place(move) } else { refuse(typed) }
    }
    return true
  }

  private func sayAndAsk(_ sentence: String) {
    console.say(sentence)
    askOrListen()
  }

  private func refuse(_ typed: TypedLine) {
    if CommandWords.lobby.contains(typed.command) {
      let end = seat == .none ? "when you have left this match" : "after the game"
      return sayAndAsk(
        "“\(typed.word)” works \(end). To see what you can type now, type: help")
    }
    sayAndAsk(
      typed.refusal(among: CommandWords.all, advice: seat == .none ? nil : game.howToPlace))
  }

  private func place(_ move: TypedMove) {
    guard seat != .none else { return sayAndAsk(Self.isOnlyWatching) }
    do throws(TypedMoveError) {
      listener?.place(at: try game.cell(for: move, on: board), by: nil)
    } catch {
      sayAndAsk(error.sentence)
    }
  }
}
