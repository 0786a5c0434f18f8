import Shared
import Testing

@testable import Client

/// Local play of two people at one keyboard.
@Suite struct LocalGameServiceTests {
  private let app = TestApp.local()

  /// Moves with which X wins in the first row.
  private let game = ["1", "4", "2", "5", "3"]

  private func play(_ lines: [String]) -> String {
    lines.map { app.type($0) }.joined()
  }

  @Test func `both names are asked for, and a blank one becomes a number`() {
    #expect(app.terminal.takeOutput() == "First player's name (blank: Player 1): ")
    #expect(app.type("") == "\nSecond player's name (blank: Player 2): ")
    #expect(app.type("  ").hasPrefix("  \nYou are Player 1 and Player 2.\n"))
  }

  @Test(arguments: [("ann", "ann"), ("ann", "Ann"), ("ann", "Ａnn"), ("Player 2", "")])
  func `equal names are refused, and both are asked for again`(_ x: String, _ o: String) {
    let screen = app.type(x, o)
    #expect(
      screen.hasSuffix(
        "The two players need different names.\nFirst player's name (blank: Player 1): "))
    #expect(app.type("ann", "bob").contains("You are ann and bob."))
  }

  @Test(arguments: ["bot", "Bot", "ＢＯＴ", "b\u{43E}t"])
  func `the bot's name is refused`(_ name: String) {
    #expect(
      app.type("ann", name).hasSuffix(
        "The computer is called bot. Choose another name.\n"
          + "First player's name (blank: Player 1): "))
  }

  @Test func `the score continues across games, and the players swap marks`() {
    _ = app.type("ann", "bob", "start")
    #expect(
      play(game).hasSuffix(
        "ann wins with 1, 2, 3.\nann: 1, bob: 0, draws: 0.\n"
          + "For the next game, type: start. To leave the match, type: leave\n> "))
    #expect(app.type("start").contains("bob plays X, ann plays O."))
    #expect(play(game).contains("bob wins with 1, 2, 3.\nbob: 1, ann: 1, draws: 0.\n"))
    #expect(app.type("start").contains("ann plays X, bob plays O."))
    let draw = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]
    #expect(play(draw).contains("The game is a draw.\nann: 1, bob: 1, draws: 1.\n"))
  }

  @Test func `resign applies to the player whose turn it is`() {
    _ = app.type("ann", "bob", "start", "1")
    let screen = app.type("resign", "yes")
    #expect(screen.contains("bob resigns: ann wins.\nann: 1, bob: 0, draws: 0.\n"))
  }

  @Test func `leaving a game ends the series`() {
    _ = app.type("ann", "bob", "start", "1")
    let screen = app.type("leave", "yes")
    #expect(screen.contains("bob has left: ann wins.\nTo play against each other, type: start."))
    #expect(!screen.contains("draws"))
    #expect(app.type("start").contains("ann plays X, bob plays O."))
    #expect(play(game).contains("ann: 1, bob: 0, draws: 0."))
  }

  @Test func `leave in the lobby is refused with a sentence`() {
    let app = TestApp.local()
    for line in ["ann", "bob"] { app.type(line) }
    #expect(
      app.type("leave")
        == "leave\nThere is no match to leave. To begin one, type: start\n> ")
  }

  @Test func `leaving between games ends the series`() {
    _ = app.type("ann", "bob", "start")
    _ = play(game)
    #expect(app.type("leave").contains("To play against each other, type: start."))
    #expect(app.type("start").contains("ann plays X, bob plays O."))
  }

  @Test func `games against the bot are a separate series`() {
    _ = app.type("ann", "bob", "start")
    _ = play(game)
    #expect(app.type("start bot").contains("ann plays X, bot plays O."))
    #expect(app.type("resign", "yes").contains("ann: 0, bot: 1, draws: 0."))
    #expect(app.type("start").contains("bot plays X, ann plays O."))
    #expect(
      app.type("resign", "yes").contains("You resigned: bot wins.\nbot: 2, ann: 0, draws: 0."))
  }

  @Test func `the bot replies to each move, and begins as X`() {
    _ = app.type("ann", "", "start bot")
    let screen = app.type("5")
    #expect(screen.contains("ann puts X on 5.\n"))
    #expect(screen.contains("bot puts O on "))
    #expect(screen.hasSuffix("ann, put X on (1 to 9): "))
    _ = app.type("resign", "yes")
    let next = app.type("start")
    #expect(next.contains("bot puts X on "))
    #expect(next.hasSuffix("ann, put O on (1 to 9): "))
  }

  @Test func `an opponent's name must be that of the other local player`() {
    _ = app.type("ann", "bob")
    #expect(
      app.type("start eve").hasSuffix(
        "eve is not at this keyboard. To play, type: start\n> "))
    #expect(app.type("start bob").contains("ann plays X, bob plays O."))
  }

  @Test func `the two local players can be listed`() {
    _ = app.type("ann", "bob")
    #expect(app.type("list") == "list\nHere: ann (free), bob (free)\n> ")
  }

  @Test func `cancel without a wait is refused with a sentence`() {
    _ = app.type("ann", "bob")
    #expect(
      app.type("cancel") == "cancel\nYou are not waiting for anybody. To play, type: start\n> ")
  }

  @Test func `the chosen game is kept for the next one`() {
    let app = TestApp.local(games: [
      Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init),
      Game(.large, makeBuilder: TicTacToeBuilder.init),
    ])
    #expect(app.type("ann", "bob", "game large", "start").hasSuffix("put X on (a1 to d4): "))
    #expect(app.type("resign", "yes").contains("bob: 1, "))
    #expect(app.type("start").hasSuffix("put X on (a1 to d4): "))
    #expect(app.type("resign", "yes", "game tictactoe", "start").hasSuffix("put X on (1 to 9): "))
  }
}
