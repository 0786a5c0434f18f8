import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The replay on the full screen and in plain lines, with its RIB.
@Suite struct ReplayViewTests {
  private let clock = ManualTimers()
  private let listener = ReplayListenerMock()

  private func build(
    _ match: StoredMatch = .example, on viewFactory: any ViewFactory, firstGame: Int = 0
  ) -> any ReplayRouting {
    let router = ReplayBuilder(dependency: ReplayDependencyMock(viewFactory, clock)).build(
      withListener: listener, replay: match.replay, firstGame: firstGame)
    router.interactable.activate()
    return router
  }

  private func frame(_ router: any ReplayRouting, _ size: Size = .usual) throws -> Frame {
    let view = try #require(router.viewControllable as? any ScreenView)
    var frame = Frame(size: size)
    view.draw(into: &frame)
    return frame
  }

  private func press(_ router: any ReplayRouting, _ keys: Key...) {
    for key in keys { _ = (router.viewControllable as? any ScreenView)?.press(key) }
  }

  @Test func `a replay shows the board, the players, and where it is`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
    #expect(
      try frame(router).lines[22].trimmed
        == "Replay of zrg3, game 1 of 2, move 0 of 6, 1.0 s a move")
    clock.advance(by: .seconds(3))
    press(router, .character(" "))
    let shown = try frame(router)
    #expect(
      shown.lines[22].trimmed
        == "Replay of zrg3, game 1 of 2, move 3 of 6, 1.0 s a move, paused")
    #expect(!shown.isAnimated)
    try expectGolden(shown, "replay")
    try expectGolden(try frame(router, GameLayout.minimumSize), "replay-small")
  }

  @Test func `the end of a game shows its line, and the chat stands beside it`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
    clock.advance(by: .seconds(5))
    let shown = try frame(router)
    #expect(shown.lines.joined().contains("ann wins"))
    #expect(shown.lines.joined().contains("\"bob\": Well played."))
    try expectGolden(shown, "replay-line")
  }

  @Test func `the end of a match stays on the screen`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
    press(router, .end)
    let shown = try frame(router)
    #expect(shown.lines.joined().contains("bob has left the match."))
    #expect(shown.lines[22].contains("move 6 of 6, 1.0 s a move, at the end"))
    #expect(listener.ends.isEmpty)
    press(router, .escape)
    #expect(listener.ends == ["zrg3"])
  }

  @Test func `keys step, change the speed, and go to a move`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
    func status() throws -> String { try frame(router).lines[22].trimmed }
    press(router, .right, .right, .left)
    #expect(try status() == "Replay of zrg3, game 1 of 2, move 1 of 6, 1.0 s a move, paused")
    press(router, .character("+"), .up, .character("-"), .down, .down)
    #expect(try status().contains("2.0 s a move"))
    press(router, .character("g"), .character("x"), .character("4"))
    #expect(try status() == "Go to move: 4")
    press(router, .enter)
    #expect(try status().contains("move 4 of 6"))
    press(router, .character("g"), .character("1"), .escape)
    #expect(try status().contains("move 4 of 6"))
    press(router, .home)
    #expect(try status().contains("move 0 of 6"))
  }

  @Test func `n and p go to the next and the previous game`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
    func status() throws -> String { try frame(router).lines[22].trimmed }
    press(router, .right, .character("n"))
    #expect(try status() == "Replay of zrg3, game 2 of 2, move 5 of 6, 1.0 s a move, paused")
    // There is no further game.
    press(router, .right, .character("n"))
    #expect(try status().contains("game 2 of 2, move 6 of 6"))
    press(router, .character("p"))
    #expect(try status().contains("game 1 of 2, move 0 of 6, 1.0 s a move, paused"))
    press(router, .right, .character("p"))
    #expect(try status().contains("game 1 of 2, move 0 of 6"))
    // A replay that plays goes on playing.
    press(router, .character(" "), .character("n"))
    clock.advance(by: .seconds(1))
    #expect(try status() == "Replay of zrg3, game 2 of 2, move 6 of 6, 1.0 s a move")
  }

  @Test func `a replay begins with the game that was chosen`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)), firstGame: 1)
    #expect(try frame(router).lines[22].contains("game 2 of 2, move 5 of 6"))
    clock.advance(by: .seconds(1))
    #expect(try frame(router).lines[22].contains("game 2 of 2, move 6 of 6"))
  }

  @Test func `a game of the history is found in its match`() {
    let replay = StoredMatch.example.replay
    let first = HistoryItem.example(7, match: "zrg3")
    let second = HistoryItem.example(
      8, Outcome(winner: .x, reason: .resigned), x: "bob", o: "ann", moves: 1, match: "zrg3")
    #expect(replay.index(of: first, later: 1) == 0)
    #expect(replay.index(of: second, later: 0) == 1)
    // A list that is older than the second game does not count it.
    #expect(replay.index(of: first, later: 0) == 0)
    #expect(replay.index(of: .example(9, moves: 8, match: "zrg3"), later: 0) == nil)
  }

  @Test func `two games that look alike are told apart by those after them`() {
    var match = StoredMatch()
    for number in 1...3 {
      if number == 1 { match.begin() } else { match.beginNext() }
      match.resign()
    }
    let item = HistoryItem.example(7, Outcome(winner: .o, reason: .resigned), moves: 0)
    #expect(match.replay.index(of: item, later: 0) == 2)
    #expect(match.replay.index(of: item, later: 2) == 0)
  }

  @Test func `damage is said, and nothing after it is shown`() throws {
    var match = StoredMatch.example
    match.lose(4)
    let router = build(match, on: ScreenViewFactory(screen: Screen(timers: clock)))
    press(router, .end)
    #expect(
      try frame(router).lines[22].trimmed
        == "The stored match is damaged: event 5 does not fit.")
    press(router, .character("q"))
    #expect(listener.damages == ["The stored match is damaged: event 5 does not fit."])
  }

  @Test func `a game that this client does not know is not shown`() throws {
    var match = StoredMatch(GameInfo(id: "chess", name: "Chess", shape: .ticTacToe))
    match.begin()
    let router = build(match, on: ScreenViewFactory(screen: Screen(timers: clock)))
    #expect(
      try frame(router).lines.joined().contains("This client cannot show the game chess."))
  }

  @Test func `plain lines show all boards, one after the other, and end`() {
    let terminal = TestTerminal()
    _ = build(on: PlainViewFactory(console: terminal.console))
    let shown = terminal.takeOutput()
    #expect(shown.ranges(of: "puts").count == 6)
    #expect(shown.contains("ann puts X on 3.\n X | X |(X)\n"))
    #expect(shown.contains("ann wins with 1, 2, 3."))
    #expect(shown.contains("\"bob\": Well played."))
    #expect(shown.contains("ann resigns: bob wins."))
    #expect(shown.hasSuffix("bob has left the match.\nReplay of zrg3, 6 moves: end.\n"))
    #expect(listener.ends == ["zrg3"])
    #expect(clock.next == nil)
  }

  @Test func `a match without its end says that the rest is missing`() throws {
    var match = StoredMatch.example
    match.lose(11)
    let screen = build(match, on: ScreenViewFactory(screen: Screen(timers: clock)))
    press(screen, .end)
    #expect(
      try frame(screen).lines[22].trimmed
        == "Replay of zrg3, game 2 of 2, move 6 of 6, 1.0 s a move, the rest is missing")
    let terminal = TestTerminal()
    _ = build(match, on: PlainViewFactory(console: terminal.console))
    #expect(terminal.takeOutput().hasSuffix("Replay of zrg3, 6 moves: the rest is missing.\n"))
  }

  @Test func `plain lines name the moves that a damaged match has shown`() {
    var match = StoredMatch.example
    match.lose(3)
    let terminal = TestTerminal()
    _ = build(match, on: PlainViewFactory(console: terminal.console))
    #expect(terminal.takeOutput().hasSuffix("Replay of zrg3, 2 of 5 moves: damaged.\n"))
  }

  @Test func `the footer names what Space does at the end`() throws {
    let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
    #expect(try frame(router).lines[23].contains("Space pause"))
    press(router, .end)
    #expect(try frame(router).lines[23].contains("Space begin again"))
    press(router, .left)
    #expect(try frame(router).lines[23].contains("Space go on"))
  }

  @Test func `damage that is known stays on the screen, and Space begins again`() throws {
    var match = StoredMatch.example
    match.lose(4)
    let router = build(match, on: ScreenViewFactory(screen: Screen(timers: clock)))
    press(router, .end, .left)
    #expect(try frame(router).lines[22].contains("paused, damaged"))
    press(router, .end, .character(" "))
    #expect(try frame(router).lines[22].contains("move 0 of 5, 1.0 s a move, damaged"))
    clock.advance(by: .seconds(1))
    #expect(try frame(router).lines[22].contains("move 1 of 5"))
  }

  @Test func `a replay and its games are freed`() {
    weak var interactor: AnyObject?
    do {
      let router = build(on: ScreenViewFactory(screen: Screen(timers: clock)))
      press(router, .right, .right)
      interactor = router.interactable
      router.interactable.deactivate()
    }
    #expect(interactor == nil)
  }
}

private final class ReplayListenerMock: ReplayListener {
  private(set) var ends: [String] = []
  private(set) var damages: [String?] = []

  func replayDidEnd(of match: String, damage: String?) {
    ends.append(match)
    damages.append(damage)
  }
}

private final class ReplayDependencyMock: ReplayDependency {
  private let viewFactory: any ViewFactory
  let timers: any Timers
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker = ManualBotThinker()
  let replayGames = { GameRegistry(GameInfo.all, over: $0) }

  init(_ viewFactory: any ViewFactory, _ timers: any Timers) {
    (self.viewFactory, self.timers) = (viewFactory, timers)
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    viewFactory.makeGameView(for: game, setup: setup)
  }

  func makeReplayView() -> any ReplayViewControllable { viewFactory.makeReplayView() }
}
