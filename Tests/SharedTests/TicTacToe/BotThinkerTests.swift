import RIBs
import TestSupport
import Testing

@testable import Shared

/// Bots that think away from the event loop.
@Suite struct BotThinkerTests {
  private let thinker = ManualBotThinker()
  private let view = RecordingGameView()
  private let listener = GameListenerMock()
  private let parent = Router(interactor: Interactor())

  private func game(
    _ game: GameInfo = .connect, bot: Mark = .o, level: BotLevel = .hard
  ) -> any GameRouting {
    let dependency = TicTacToeDependencyMock(view: view, botThinker: thinker)
    let person = Player.person("ann")
    let players: PerMark<Player> =
      bot == .o ? PerMark(x: person, o: .bot) : PerMark(x: .bot, o: person)
    let router = TicTacToeBuilder(dependency: dependency, game: game).build(
      withListener: listener,
      setup: GameSetup(
        series: Series(players), seat: .both, board: game.board, level: level))
    parent.interactable.activate()
    parent.attachChild(router)
    return router
  }

  @Test func `a slow move comes later, and the game continues with it`() {
    let router = game()
    view.listener?.place(at: Cell(row: 5, column: 3), by: nil)
    #expect(router.board.turn == .o)
    #expect(thinker.count == 1)
    thinker.answer()
    #expect(router.board.turn == .x)
    #expect(router.board[Cell(row: 4, column: 3)] == .o)
  }

  @Test func `a bot that plays X thinks when the game begins`() {
    let router = game(bot: .x)
    #expect(thinker.count == 1)
    thinker.answer()
    #expect(router.board.turn == .o)
  }

  @Test func `a quick move needs no thought`() {
    let router = game(.ticTacToe)
    view.listener?.place(at: Cell(row: 0, column: 0), by: nil)
    #expect(thinker.count == 0)
    #expect(router.board.turn == .x)
  }

  @Test(arguments: [BotLevel.easy, .medium], GameInfo.all)
  func `a bot that needs no thought waits as a person would`(level: BotLevel, info: GameInfo) {
    let router = game(info, level: level)
    view.listener?.place(at: router.board.openCells[0], by: nil)
    #expect(router.board.turn == .o)
    #expect(thinker.count == 1)
    thinker.answer()
    #expect(router.board.turn == .x)
  }

  @Test func `a game that ends during the pause drops the move`() {
    let router = game(.ticTacToe, level: .easy)
    view.listener?.place(at: Cell(row: 0, column: 0), by: nil)
    view.listener?.resign(by: nil)
    #expect(thinker.count == 0)
    #expect(router.board.outcome == Outcome(winner: .o, reason: .resigned))
  }

  @Test func `the pause takes 0.3 s, and can be cancelled`() throws {
    let (clock, loop) = (ManualTimers(), try EventLoop())
    let thinker = BackgroundBotThinker(loop: loop, timers: clock)
    var moves: [Cell] = []
    let board = GameInfo.ticTacToe.board
    let thoughts = (0..<2).map { _ in
      thinker.move(on: board, by: Strategy(level: .easy)) { moves.append($0) }
    }
    thoughts[1].cancel()
    clock.advance(by: BackgroundBotThinker.pause - .milliseconds(1))
    #expect(moves.isEmpty)
    clock.advance(by: .milliseconds(1))
    #expect(moves.count == 1)
  }

  @Test func `nobody plays for a bot that thinks`() {
    let router = game()
    view.listener?.place(at: Cell(row: 5, column: 3), by: nil)
    view.listener?.place(at: Cell(row: 5, column: 0), by: nil)
    #expect(view.calls.last == .refuse(.notYourTurn))
    #expect(router.board[Cell(row: 5, column: 0)] == nil)
  }

  @Test func `a person who resigns while the bot thinks loses, and the thought is dropped`() {
    let router = game()
    view.listener?.place(at: Cell(row: 5, column: 3), by: nil)
    view.listener?.resign(by: nil)
    #expect(view.calls.last == .announce(Outcome(winner: .o, reason: .resigned)))
    #expect(thinker.count == 0)
    thinker.answer()
    #expect(router.board.turn == nil)
  }

  @Test func `a game that is detached drops its thought`() {
    let router = game()
    view.listener?.place(at: Cell(row: 5, column: 3), by: nil)
    router.interactable.deactivate()
    #expect(thinker.count == 0)
  }

  @Test func `the background thread finds a move without blocking the loop`() throws {
    let loop = try EventLoop()
    let thinker = BackgroundBotThinker(loop: loop)
    var board = GameInfo.connect.board
    var moves: [Cell] = []
    var ticks = 0
    func tick() {
      ticks += 1
      loop.schedule(after: .milliseconds(1)) { tick() }
    }
    tick()
    var thoughts: [any Cancellable] = []
    // A win in one for X, so that the answer does not depend on the time.
    for (row, column) in [(5, 0), (5, 6), (4, 0), (4, 6), (3, 0), (3, 6)] {
      _ = try board.place(try #require(board.turn), at: Cell(row: row, column: column))
    }
    for _ in 0..<3 {
      thoughts.append(
        thinker.move(on: board, by: Strategy(level: .hard)) { moves.append($0) })
    }
    thoughts[1].cancel()
    while moves.count < 2 { try loop.turn(wait: .seconds(1)) }
    #expect(moves == [Cell(row: 2, column: 0), Cell(row: 2, column: 0)])
    #expect(ticks > 1)
  }
}
