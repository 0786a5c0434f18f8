import Shared
import TestSupport
import Testing

@testable import Client

/// All messages of the chat, over any screen.
@Suite struct ChatListTests {
  private let timers = ManualTimers()
  private let screen: Screen
  private let view: RootView
  private let listener = RootPresentableListenerMock()

  init() {
    screen = Screen(timers: timers)
    view = RootView(screen: screen)
    view.listener = listener
    screen.show(view)
    view.show(Self.game(on: screen))
    timers.advance(by: Screen.holdTime)
  }

  private static func game(on screen: Screen) -> TicTacToeView {
    TicTacToeView(
      screen: screen, game: .ticTacToe,
      setup: GameSetup(
        series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.ticTacToe)))
  }

  private func news(_ messages: ClosedRange<Int>) -> MatchNews {
    var news = MatchNews()
    news.match = "m"
    for number in messages {
      news.add(MatchNews.Remark(from: "bob", text: "message \(number)"))
    }
    return news
  }

  private func frame(_ size: Size = .usual) -> Frame {
    var frame = Frame(size: size)
    view.draw(into: &frame)
    return frame
  }

  private func press(_ keys: Key...) {
    for key in keys { screen.press(key) }
  }

  private func resultView(_ status: LobbyStatus) -> OffGameView {
    let outcome = Outcome(winner: .o, reason: .resigned)
    let view = OffGameView(
      screen: screen, names: ["ann"],
      lastGame: LastGame(
        game: .ticTacToe, players: TicTacToeSceneTests.series.players, seat: .one(.x),
        board: Board(.ticTacToe), outcome: outcome))
    view.show(status, since: nil, offers: [])
    return view
  }

  @Test func `all messages can be read, and the list follows new ones`() throws {
    view.show(news(1...60))
    press(.character("T"))
    try expectGolden(frame(), "chat")
    #expect(frame().position(of: "message 60") != nil)
    #expect(frame().position(of: "Your turn: place X") != nil)
    view.show(news(1...61))
    #expect(frame().position(of: "message 61") != nil)
    press(.home)
    #expect(frame().position(of: "message 1") != nil)
    view.show(news(1...62))
    #expect(frame().position(of: "message 62") == nil)
    press(.character("j"), .pageDown, .up, .end)
    #expect(frame().position(of: "message 62") != nil)
    view.show(news(1...63))
    #expect(frame().position(of: "message 63") != nil)
    press(.escape)
    #expect(frame().position(of: "arrows move") != nil)
    #expect(listener.calls.isEmpty)
  }

  @Test func `long messages are not cut on the smallest terminal`() throws {
    var news = news(1...3)
    let text = (1...30).map { "word\($0)" }.joined(separator: " ")
    news.add(MatchNews.Remark(from: "bob", text: text))
    view.show(news)
    screen.redraw(size: GameLayout.minimumSize)
    press(.character("T"))
    try expectGolden(frame(GameLayout.minimumSize), "chat-small")
    #expect(frame(GameLayout.minimumSize).position(of: "word30") != nil)
    press(.home)
    #expect(frame(GameLayout.minimumSize).position(of: "message 1") != nil)
  }

  @Test func `a message can be written over the list`() {
    view.show(news(1...2))
    press(.character("T"), .character("t"), .character("x"))
    #expect(frame().position(of: "Say: x") != nil)
    press(.enter)
    #expect(listener.calls == ["say x"])
    #expect(frame().position(of: "message 1") != nil)
  }

  @Test func `a muted chat shows nothing here either`() {
    view.show(news(1...2))
    press(.character("T"), .character("m"))
    #expect(frame().position(of: "message 1") == nil)
    #expect(frame().position(of: "Chat is muted.") != nil)
    press(.character("m"))
    #expect(frame().position(of: "message 1") != nil)
  }

  @Test func `the list stays while a game ends below it, and keys count half a second later`() {
    view.show(news(1...2))
    press(.character("T"))
    view.show(resultView(.betweenGames(Outcome(winner: .o, reason: .resigned), hasAsked: false)))
    #expect(frame().position(of: "message 2") != nil)
    timers.advance(by: .seconds(5))
    press(.escape, .character("n"))
    #expect(frame().position(of: "Another game?") != nil)
    timers.advance(by: Screen.holdTime)
    #expect(!screen.isHoldingKeys)
    press(.character("T"), .escape)
    // Nothing has changed meanwhile.
    #expect(!screen.isHoldingKeys)
  }

  @Test func `the chat stays on the result screen, also when the match is over`() {
    view.show(news(1...3))
    let result = resultView(
      .betweenGames(Outcome(winner: .o, reason: .resigned), hasAsked: false))
    view.show(result)
    timers.advance(by: Screen.holdTime)
    for text in ["message 3", "You lost", "T chat", "n next game"] {
      #expect(frame().position(of: text) != nil, "\(text)")
    }
    var over = news(1...3)
    over.match = nil
    result.show(.lobby, since: nil, offers: [])
    view.show(over)
    #expect(frame().position(of: "message 3") != nil)
    timers.advance(by: Screen.holdTime)
    press(.character("T"))
    #expect(frame().position(of: "message 1") != nil)
    press(.escape)
    timers.advance(by: Screen.holdTime)
    press(.down)
    #expect(frame().position(of: "message 3") == nil)
    press(.character("T"))
    #expect(frame().position(of: "message 3") != nil)
    // A person who logs in later must not read it.
    view.show(MatchNews())
    #expect(frame().position(of: "message 3") == nil)
  }

  @Test func `an opponent who is away is shown on the result screen, and taken back`() {
    view.show(resultView(.betweenGames(Outcome(winner: .x, reason: .resigned), hasAsked: false)))
    var news = news(1...1)
    news.absences = [MatchNews.Absence(name: "bob", until: .seconds(42))]
    view.show(news)
    #expect(frame().position(of: "bob is away, 0:42 left.") != nil)
    news.absences = []
    view.show(news)
    #expect(frame().position(of: "bob is away") == nil)
  }
}
