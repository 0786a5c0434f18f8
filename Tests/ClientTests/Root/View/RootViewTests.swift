import Shared
import TestSupport
import Testing

@testable import Client

/// The root's full-screen view: what it shows, and how it distributes the keys.
@Suite struct RootViewTests {
  private let timers = ManualTimers()
  private let screen: Screen
  private let view: RootView
  private let listener = RootPresentableListenerMock()
  private let shown = ScreenViewMock()

  init() {
    screen = Screen(timers: timers)
    view = RootView(screen: screen)
    view.listener = listener
    screen.show(view)
    view.show(shown)
  }

  @Test func `the current view receives the keys first`() {
    press(.enter, .character("?"), .escape)
    #expect(shown.keysPressed == [.enter, .character("?"), .escape])
    #expect(listener.calls.isEmpty)
    #expect(frame.position(of: "the view") != nil)
  }

  @Test func `a question mark shows the keys until the next key`() {
    shown.effect = .unused
    press(.character("?"))
    #expect(frame.position(of: "what it does") != nil)
    #expect(frame.cursor == nil)
    press(.character("q"))
    #expect(frame.position(of: "what it does") == nil)
    #expect(shown.keysPressed == [.character("?")])
    press(.character("x"))
    #expect(frame.position(of: "what it does") == nil)
  }

  @Test func `in a match the footer and the keys explain chat and the match id`() {
    #expect(frame.position(of: "t talk") == nil)
    var news = MatchNews()
    news.match = "zrg3"
    view.show(news)
    #expect(frame.position(of: "t talk")?.row == Size.usual.rows - 1)
    #expect(frame.position(of: "match zrg3")?.row == 0)
    shown.isAsking = true
    #expect(frame.position(of: "t talk") == nil)
    shown.effect = .unused
    press(.character("?"))
    #expect(frame.position(of: "--watch zrg3") != nil)
  }

  @Test func `the m key mutes and unmutes the chat visibly`() throws {
    let setup = GameSetup(
      series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.ticTacToe))
    view.show(TicTacToeView(screen: screen, game: .ticTacToe, setup: setup))
    timers.advance(by: Screen.holdTime)
    var news = MatchNews()
    news.match = "zrg3"
    news.add(MatchNews.Remark(from: "bob", text: "hello"))
    view.show(news)
    try expectGolden(frame, "root-chat")
    press(.character("m"))
    news.add(MatchNews.Remark(from: "bob", text: "are you there?"))
    view.show(news)
    try expectGolden(frame, "root-muted")
    press(.character("?"))
    #expect(frame.position(of: "show chat again") != nil)
    press(.character("?"), .character("m"))
    #expect(frame.position(of: "\"bob\": are you there?") != nil)
    #expect(frame.position(of: "muted") == nil)
  }

  @Test func `muting applies in the lobby and in the next match`() {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    view.show(lobby)
    timers.advance(by: Screen.holdTime)
    press(.character("m"))
    #expect(frame.position(of: "muted") == nil)
    var news = MatchNews()
    news.match = "zrg3"
    view.show(news)
    press(.character("m"))
    #expect(frame.position(of: "match zrg3 · chat muted")?.row == 0)
    #expect(frame.position(of: "Chat is muted.") != nil)
    news.add(MatchNews.Remark(from: "bob", text: "hello"))
    view.show(news)
    #expect(frame.position(of: "hello") == nil)
    view.show(MatchNews())
    #expect(frame.position(of: "match zrg3") == nil)
    news.match = "next"
    view.show(news)
    #expect(frame.position(of: "match next · chat muted") != nil)
    press(.character("m"))
    #expect(frame.position(of: "Chat is shown again.") != nil)
  }

  @Test func `the m key types a letter while a message is written`() {
    shown.effect = .unused
    var news = MatchNews()
    news.match = "zrg3"
    view.show(news)
    press(.character("t"), .character("m"))
    #expect(frame.position(of: "Say: m") != nil)
    press(.enter)
    #expect(listener.calls == ["say m"])
    #expect(frame.position(of: "muted") == nil)
  }

  @Test func `a restored connection is reported in the lobby`() {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    view.show(lobby)
    var news = MatchNews()
    news.lostSince = .zero
    view.show(news)
    #expect(frame.position(of: "Reconnecting … (0 s) Ctrl-C quits") != nil)
    view.show(MatchNews())
    #expect(frame.position(of: "Reconnecting") == nil)
    #expect(frame.position(of: "Connected again.") != nil)
  }

  @Test func `what is over is taken back`() {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    view.show(lobby)
    var news = MatchNews()
    news.serverEnd = .seconds(60)
    view.show(news)
    lobby.say("The server says: The server is stopping.")
    view.show(MatchNews())
    #expect(frame.position(of: "stopping") == nil)
    lobby.say("The server says: The server is stopping.")
    news = MatchNews()
    news.lostSince = .zero
    view.show(news)
    view.show(MatchNews())
    lobby.say("The server was away.")
    #expect(frame.position(of: "stopping") == nil)
    #expect(frame.position(of: "The server was away.") != nil)
    #expect(frame.hasClock)
    timers.advance(by: Notices.showTime)
    #expect(frame.position(of: "The server was away.") == nil)
    #expect(frame.position(of: "Connected again.") == nil)
  }

  @Test func `a chat message is shown unabridged in the lobby`() {
    view.show(OffGameView(screen: screen, names: ["ann"], lastGame: nil))
    var news = MatchNews()
    news.match = "zrg3"
    news.add(MatchNews.Remark(from: "bob", text: "one more; type: start"))
    view.show(news)
    #expect(frame.position(of: "\"bob\": one more; type: start") != nil)
  }

  @Test func `a new view hides the keys of the previous one`() {
    shown.effect = .unused
    press(.character("?"))
    view.show(ScreenViewMock())
    #expect(frame.position(of: "what it does") == nil)
  }

  @Test func `Ctrl-C quits once from any screen`() {
    shown.effect = .unused
    press(.character("?"), .control("c"), .control("c"))
    #expect(listener.calls == ["quit"])
    #expect(shown.keysPressed == [.character("?")])
    shown.effect = .quit
    press(.enter, .character("q"))
    #expect(listener.calls == ["quit"])
  }

  @Test func `a view can quit the program and leave its game`() {
    shown.effect = .leaveGame
    press(.character("q"))
    #expect(listener.calls == ["leave"])
    shown.effect = .quit
    press(.character("q"), .character("q"))
    #expect(listener.calls == ["leave", "quit"])
  }

  @Test func `an animation is shown between two views`() throws {
    view.hide(shown)
    #expect(frame.isAnimated)
    try expectGolden(frame, "root-moment")
    press(.character("?"), .enter)
    #expect(shown.keysPressed.isEmpty)
    press(.control("c"))
    try expectGolden(frame, "root-goodbye")
  }

  @Test func `news can arrive while the terminal is too small`() {
    let setup = GameSetup(
      series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.ticTacToe))
    let game = TicTacToeView(screen: screen, game: .ticTacToe, setup: setup)
    view.show(game)
    game.say("That cell already has a mark.")
    screen.redraw(size: Size(rows: 1, columns: 3))
    var news = MatchNews()
    news.match = "zrg3"
    news.lostSince = .zero
    view.show(news)
    timers.advance(by: .zero)
    screen.redraw(size: .usual)
    #expect(frame.position(of: "That cell already") != nil)
    #expect(frame.position(of: "Reconnecting") != nil)
  }

  @Test func `hiding another view keeps the current one`() {
    view.hide(ScreenViewMock())
    #expect(frame.position(of: "the view") != nil)
  }

  @Test func `changes are drawn`() throws {
    var output: [UInt8] = []
    let screen = Screen(size: .usual, timers: timers, write: { output += $0 })
    let view = RootView(screen: screen)
    screen.show(view)
    screen.redraw(size: .usual)
    timers.advance(by: .zero)
    view.show(shown)
    timers.advance(by: Screen.minInterval)
    var terminal = ScreenEmulator(.usual)
    try terminal.receive(output)
    #expect(terminal.lines[0].hasPrefix("the view"))
    shown.effect = .unused
    view.press(.character("?"))
    timers.advance(by: Screen.minInterval)
    try terminal.receive(output)
    #expect(terminal.lines.contains { $0.contains("what it does") })
  }

  @Test func `the keys are shown over a game and over the lobby`() throws {
    let setup = GameSetup(
      series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.ticTacToe))
    let game = TicTacToeView(screen: screen, game: .ticTacToe, setup: setup)
    view.show(game)
    timers.advance(by: Screen.holdTime)
    press(.character("?"))
    try expectGolden(frame, "keys-game")
    var small = Frame(size: view.minimumSize)
    view.draw(into: &small)
    try expectGolden(small, "keys-game-small")
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    lobby.show(.waiting(opponent: nil), since: .zero, offers: [])
    view.show(lobby)
    timers.advance(by: Screen.holdTime)
    press(.character("?"))
    try expectGolden(frame, "keys-waiting")
  }

  @Test func `a terminal that is too small for the view shows a message`() throws {
    var output: [UInt8] = []
    let screen = Screen(size: .usual, timers: timers, write: { output += $0 })
    let view = RootView(screen: screen)
    screen.show(view)
    view.show(OffGameView(screen: screen, names: ["ann"], lastGame: nil))
    let size = Size(rows: 10, columns: 40)
    screen.redraw(size: size)
    timers.advance(by: .zero)
    var terminal = ScreenEmulator(size)
    try terminal.receive(output)
    var frame = terminal.frame
    frame.cursor = nil
    try expectGolden(frame, "too-small")
  }

  private var frame: Frame {
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    return frame
  }

  private func press(_ keys: Key...) {
    for key in keys { view.press(key) }
  }
}

private final class ScreenViewMock: ScreenView {
  var effect = KeyEffect.used
  var isAsking = false
  private(set) var keysPressed: [Key] = []

  let minimumSize = Size(rows: 3, columns: 10)
  let keys = [KeyHelp("x", "what it does")]

  func draw(into frame: inout Frame) {
    frame.write("the view", at: Position(row: 0, column: 0))
    frame.cursor = Position(row: 0, column: 0)
  }

  func press(_ key: Key) -> KeyEffect {
    keysPressed.append(key)
    return effect
  }
}
