import Shared
import TestSupport
import Testing

@testable import Client

/// When the bell rings on the full screen.
@Suite struct BellTests {
  private let timers = ManualTimers()
  private let terminal = Output()
  private let screen: Screen
  private let view: RootView
  private let game: TicTacToeView

  init() throws {
    let terminal = terminal
    screen = Screen(size: .usual, timers: timers, write: { terminal.bytes += $0 })
    view = RootView(screen: screen)
    game = TicTacToeView(
      screen: screen, game: .ticTacToe,
      setup: GameSetup(
        series: TicTacToeSceneTests.series, seat: .one(.o), board: Board(.ticTacToe)))
    screen.show(view)
    screen.redraw(size: .usual)
    timers.advance(by: .zero)
  }

  @Test func `a game that begins by itself rings, and one that a key began does not`() throws {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    view.show(lobby)
    view.show(game)
    #expect(try bells() == 1)
    view.show(lobby)
    lobby.showRequest(.start(against: .bot))
    view.show(game)
    #expect(try bells() == 1)
  }

  @Test func `the person's turn rings if the opponent took more than ten seconds`() throws {
    view.show(game)
    game.show(Board(.ticTacToe))
    var board = Board(.ticTacToe)
    timers.advance(by: .seconds(10))
    game.apply(try board.place(.x, at: Cell(row: 0, column: 0)))
    #expect(try bells() == 0)
    timers.advance(by: .seconds(60))
    game.apply(try board.place(.o, at: Cell(row: 1, column: 0)))
    #expect(try bells() == 0)
    timers.advance(by: .milliseconds(10_001))
    game.apply(try board.place(.x, at: Cell(row: 2, column: 0)))
    #expect(try bells() == 1)
  }

  @Test func `the b key turns the bell off and on, and says so`() throws {
    view.show(game)
    screen.press(.character("?"))
    #expect(frame.position(of: "turn the bell off") != nil)
    screen.press(.character("?"))
    screen.press(.character("b"))
    #expect(frame.position(of: "The bell is off.") != nil)
    view.warn("Hurry.")
    #expect(frame.position(of: "Hurry.") != nil)
    #expect(try bells() == 0)
    screen.press(.character("b"))
    #expect(frame.position(of: "The bell is on.") != nil)
    view.warn("Hurry.")
    #expect(try bells() == 1)
  }

  @Test func `a bell can be off from the start`() throws {
    let screen = Screen(
      size: .usual, timers: timers, settings: ScreenSettings(hasBell: false),
      write: { terminal.bytes += $0 })
    screen.redraw(size: .usual)
    screen.ring(for: .invitation)
    timers.advance(by: .seconds(1))
    #expect(try bells() == 0)
  }

  private var frame: Frame {
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    return frame
  }

  /// The number of times that the terminal has rung.
  private func bells() throws -> Int {
    timers.advance(by: Screen.minInterval)
    var emulator = ScreenEmulator(.usual)
    try emulator.receive(terminal.bytes)
    return emulator.bells
  }
}

private final class Output {
  var bytes: [UInt8] = []
}
