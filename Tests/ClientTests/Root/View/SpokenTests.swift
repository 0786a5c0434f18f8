import Shared
import TestSupport
import Testing

@testable import Client

/// What a screen reader says of the full screen, and when it says it again.
@Suite struct SpokenTests {
  private let timers = ManualTimers()
  private let screen: Screen
  private let view: RootView

  init() {
    screen = Screen(size: .usual, timers: timers, write: { _ in })
    view = RootView(screen: screen)
    screen.show(view)
    screen.redraw(size: .usual)
  }

  private func showGame() -> TicTacToeView {
    let game = TicTacToeView(
      screen: screen, game: .ticTacToe,
      setup: GameSetup(
        series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.ticTacToe)))
    view.show(game)
    timers.advance(by: Screen.holdTime)
    return game
  }

  @Test func `turn and last move are spoken, and no clock`() throws {
    let game = showGame()
    var news = MatchNews()
    news.match = "m"
    news.deadline = screen.now + .seconds(42)
    news.absences = [MatchNews.Absence(name: "bob", until: screen.now + .seconds(30))]
    view.show(news)
    #expect(view.spoken == ["Your turn: place X"])
    var board = Board(.ticTacToe)
    for cell in [Cell(row: 1, column: 1), Cell(row: 0, column: 2)] {
      _ = try board.place(#require(board.turn), at: cell)
      game.show(board)
    }
    let sentences = ["Your turn: place X", "Last move: O on 3"]
    #expect(view.spoken == sentences)
    let summary = view.summary
    for _ in 0..<40 {
      timers.advance(by: .seconds(1))
      #expect(view.spoken == sentences)
    }
    #expect(view.summary != summary)
  }

  @Test func `a lost connection is spoken once, without the time`() {
    _ = showGame()
    var news = MatchNews()
    news.lostSince = screen.now
    view.show(news)
    let sentences = view.spoken
    #expect(sentences.first == "Connection lost. Reconnecting …")
    timers.advance(by: .seconds(3))
    #expect(view.spoken == sentences)
    news.obstacle = "No route"
    view.show(news)
    #expect(view.spoken.first == "No route. Trying again …")
  }

  @Test func `the result is spoken with the move that ended the game`() throws {
    var board = Board(.ticTacToe)
    for number in [1, 4, 2, 5, 3] {
      let index = number - 1
      _ = try board.place(
        #require(board.turn), at: Cell(row: index / 3, column: index % 3))
    }
    let last = LastGame(
      game: .ticTacToe, players: TicTacToeSceneTests.series.players, seat: .one(.o), board: board,
      outcome: Outcome(winner: .x, reason: .line))
    view.show(OffGameView(screen: screen, names: ["bob"], lastGame: last))
    #expect(view.spoken.first == "You lost")
    #expect(view.spoken.last == "Last move: X on 3")
  }

  @Test func `a question before the end is spoken first`() {
    _ = showGame()
    screen.press(.control("c"))
    #expect(view.spoken.first == "End the program, and lose this game?")
  }

  @Test func `the page knows whether a text field has the keys`() {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    view.show(lobby)
    timers.advance(by: Screen.holdTime)
    #expect(!view.isTyping)
    screen.press(.character("c"))
    #expect(view.isTyping)
    screen.press(.escape)
    #expect(!view.isTyping)
    var news = MatchNews()
    news.match = "m"
    view.show(news)
    screen.press(.character("t"))
    #expect(view.isTyping)
    screen.press(.escape)
    #expect(!view.isTyping)
  }

  @Test func `whose turn it is does not depend on what people write`() throws {
    let game = showGame()
    #expect(view.isOwnTurn)
    game.refuse(.cellTaken, to: .x)
    #expect(view.isOwnTurn)
    #expect(view.spoken == ["Your turn: place X", ErrorCode.cellTaken.message])
    view.say("bob: or this code: zzz")
    #expect(view.link == nil)
    var board = Board(.ticTacToe)
    _ = try board.place(.x, at: Cell(row: 1, column: 1))
    game.show(board)
    #expect(!view.isOwnTurn)
    game.show(Board(.ticTacToe))
    #expect(view.isOwnTurn)
    game.announce(Outcome(winner: .o, reason: .resigned))
    #expect(!view.isOwnTurn)
  }

  @Test func `the page learns the link to send while the person waits for a friend`() {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    view.show(lobby)
    #expect(view.link == nil)
    let friend = FriendCode(code: "abc", address: .example, friendLine: "http://h/join/CODE")
    lobby.show(.waiting(opponent: nil, friend: friend), since: nil, offers: [])
    #expect(view.link == "http://h/join/abc")
    lobby.show(.lobby, since: nil, offers: [])
    #expect(view.link == nil)
  }

  @Test func `the field of a form is spoken, and Tab leads out of the last one`() {
    let form = FormView(screen: screen)
    form.show(
      LoginForm(fields: [
        LoginField(.name, label: "Your name"), LoginField(.password, label: "Password"),
      ]))
    view.show(form)
    timers.advance(by: Screen.holdTime)
    #expect(view.spoken == ["Your name"])
    #expect(view.usesTab)
    screen.press(.tab)
    #expect(view.spoken == ["Password"])
    #expect(!view.usesTab)
  }

  @Test func `a click in the list of keys presses a key`() throws {
    let game = showGame()
    screen.press(.character("?"))
    var frame = Frame(size: .usual, namesButtons: true)
    view.draw(into: &frame)
    let button = try #require(frame.buttons.first { $0.label.contains("resign") })
    screen.press(.press(button.position))
    #expect(game.isAsking)
  }
}
