import Shared
import TestSupport
import Testing

@testable import Client

/// A terminal that is too small for the view.
@Suite struct SmallScreenTests {
  private let timers = ManualTimers()
  private let screen: Screen
  private let view: RootView
  private let listener = RootPresentableListenerMock()
  private let output = Bytes()

  private final class Bytes {
    var all: [UInt8] = []
  }

  init() {
    screen = Screen(size: .usual, timers: timers, write: { [output] in output.all += $0 })
    view = RootView(screen: screen)
    view.listener = listener
    screen.show(view)
  }

  private func lines(_ size: Size) throws -> [String] {
    output.all = []
    screen.redraw(size: size)
    timers.advance(by: Screen.minInterval)
    var terminal = ScreenEmulator(size)
    try terminal.receive(output.all)
    return terminal.lines.map(\.trimmed)
  }

  private func showGame() {
    view.show(
      TicTacToeView(
        screen: screen, game: .gomoku,
        setup: GameSetup(
          series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.gomoku))))
    timers.advance(by: Screen.holdTime)
  }

  @Test(arguments: GameInfo.all)
  func `the requested size is enough, and no more than is needed`(game: GameInfo) {
    for rows in 4...30 {
      for columns in [20, 38, 39, 40, 42, 43, 60, 80] {
        let size = Size(rows: rows, columns: columns)
        let needed = GameLayout.minimumSize(for: game, columns: columns)
        if size.holds(needed) { continue }
        let grown = Size(rows: max(rows, needed.rows), columns: max(columns, needed.columns))
        #expect(grown.holds(GameLayout.minimumSize(for: game, columns: grown.columns)))
        // The rows that are there are enough if more columns are.
        let wider = GameLayout.minimumSize(for: game, columns: max(columns, needed.columns))
        #expect(needed.rows <= wider.rows, "\(game.id) at \(size)")
      }
    }
  }

  @Test func `a game shows whose turn it is, the clock, and how to leave`() throws {
    showGame()
    var news = MatchNews()
    news.match = "m"
    news.deadline = screen.now + .seconds(42)
    view.show(news)
    let size = Size(rows: 10, columns: 40)
    let shown = try lines(size)
    for text in ["Your turn: place X", "Time: 0:42", "q leave · Ctrl-C quit"] {
      #expect(shown.contains(text), "\(text)")
    }
    #expect(shown.joined(separator: " ").contains("at least 40 columns wide and 22 rows high."))
    timers.advance(by: .seconds(2))
    var terminal = ScreenEmulator(size)
    try terminal.receive(output.all)
    #expect(terminal.lines.contains { $0.contains("Time: 0:40") })
    // The most important comes first.
    #expect(try lines(Size(rows: 1, columns: 30)) == ["Your turn: place X"])
    #expect(
      try lines(Size(rows: 3, columns: 30)) == [
        "Your turn: place X", "Time: 0:40", "q leave · Ctrl-C quit",
      ])
  }

  @Test func `leaving a game asks, and only y leaves`() throws {
    showGame()
    let size = Size(rows: 10, columns: 40)
    _ = try lines(size)
    for key in [Key.enter, .character(" "), .character("r"), .character("5"), .character("?")] {
      screen.press(key)
    }
    #expect(try !lines(size).contains { $0.contains("(y/n)") })
    screen.press(.character("q"))
    #expect(try lines(size).contains("Leave, and lose this game? (y/n)"))
    timers.advance(by: Screen.holdTime)
    screen.press(.character("x"))
    #expect(listener.calls.isEmpty)
    screen.press(.escape)
    timers.advance(by: Screen.holdTime)
    screen.press(.character("y"))
    #expect(listener.calls == ["leave"])
  }

  @Test func `the lobby can be left, and a form takes no letters`() throws {
    view.show(OffGameView(screen: screen, names: ["ann"], lastGame: nil))
    timers.advance(by: Screen.holdTime)
    let size = Size(rows: 5, columns: 30)
    #expect(try lines(size).last == "q quit · Ctrl-C quit")
    screen.press(.character("f"))
    #expect(listener.calls.isEmpty)
    screen.press(.character("q"))
    #expect(listener.calls == ["quit"])
  }

  @Test func `a lost connection is shown`() throws {
    showGame()
    var news = MatchNews()
    news.lostSince = screen.now
    view.show(news)
    let shown = try lines(Size(rows: 6, columns: 50))
    #expect(shown.contains("Connection lost. Reconnecting … (0 s)"))
  }
}
