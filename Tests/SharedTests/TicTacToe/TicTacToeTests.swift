import RIBs
import Shared
import TestSupport
import Testing

@testable import Shared

/// The RIB by itself. What it has in common with its proxy is in the contract tests.
@Suite struct TicTacToeTests {
  private let view = RecordingGameView()
  private let listener = GameListenerMock()
  private let parent = Router(interactor: Interactor())

  private func attach(_ setup: GameSetup) -> any GameRouting {
    let builder = TicTacToeBuilder(
      dependency: TicTacToeDependencyMock(view: view), game: .ticTacToe)
    let game = builder.build(withListener: listener, setup: setup)
    parent.interactable.activate()
    parent.attachChild(game)
    return game
  }

  @Test func `nothing is shown before the game is attached`() {
    let builder = TicTacToeBuilder(
      dependency: TicTacToeDependencyMock(view: view), game: .ticTacToe)
    let game = builder.build(
      withListener: listener, setup: .between(.person("ann"), .person("bob")))
    #expect(view.calls.isEmpty)
    #expect(game.viewControllable === view)
    #expect(view.listener === game.interactable)
  }

  @Test func `the view is made for the game and its setup`() {
    let dependency = TicTacToeDependencyMock()
    let setup = GameSetup.between(.person("ann"), .bot)
    _ = TicTacToeBuilder(dependency: dependency, game: .ticTacToe)
      .build(withListener: listener, setup: setup)
    #expect(dependency.asked.map(\.game) == [.ticTacToe])
    #expect(dependency.asked.map(\.setup) == [setup])
  }

  @Test func `a move without a mark is for the mark whose turn it is`() {
    let game = attach(.between(.person("ann"), .person("bob")))
    view.listener?.place(at: Cell(row: 0, column: 0), by: nil)
    view.listener?.place(at: Cell(row: 0, column: 1), by: nil)
    #expect(game.board.rows == ["XO.", "...", "..."])
    view.listener?.resign(by: nil)
    #expect(listener.outcomes == [Outcome(winner: .o, reason: .resigned)])
  }

  @Test func `after the end every move is refused`() {
    let game = attach(.between(.person("ann"), .person("bob")))
    game.end(.timeout, by: .x)
    let count = view.calls.count
    view.listener?.place(at: Cell(row: 0, column: 0), by: .x)
    view.listener?.place(at: Cell(row: 0, column: 0), by: nil)
    view.listener?.resign(by: .o)
    game.end(.left, by: .o)
    #expect(view.calls.dropFirst(count) == [.refuse(.noGame), .refuse(.noGame), .refuse(.noGame)])
    #expect(listener.outcomes == [Outcome(winner: .o, reason: .timeout)])
  }

  @Test func `a bot that is X moves once the game is loaded`() {
    let game = attach(.between(.bot, .person("ann")))
    #expect(view.calls.count == 2)
    #expect(view.calls.first == .show(Board(.ticTacToe)))
    #expect(game.board.turn == .o)
  }

  @Test func `a bot moves after the view has received the previous move`() {
    let hasty = HastyView()
    let game = TicTacToeBuilder(
      dependency: TicTacToeDependencyMock(view: hasty), game: .ticTacToe
    ).build(withListener: listener, setup: .between(.person("ann"), .bot))
    parent.interactable.activate()
    parent.attachChild(game)
    hasty.listener?.place(at: Cell(row: 1, column: 1), by: .x)
    #expect(hasty.journal == ["show", "X begins", "X ends", "O begins", "O ends"])
  }

  @Test func `a refused move does not make the bot move`() {
    _ = attach(.between(.person("ann"), .bot))
    view.listener?.place(at: Cell(row: 5, column: 5), by: .x)
    #expect(view.calls == [.show(Board(.ticTacToe)), .refuse(.outOfBoard)])
  }

  @Test func `two bots play to a draw by themselves`() {
    _ = attach(.between(.bot, .bot))
    #expect(view.calls.count == 11)
    #expect(listener.outcomes == [Outcome(winner: nil, reason: .full)])
  }

  @Test func `a game that its first move ends is over once it is attached`() throws {
    let one = try #require(BoardShape(rows: 2, columns: 2, inARow: 1))
    var game: (any GameRouting)?
    listener.onEnd = { [parent] in for child in parent.children { parent.detachChild(child) } }
    game = attach(.between(.bot, .person("ann"), shape: one))
    #expect(listener.outcomes.map(\.winner) == [.x])
    #expect(parent.children.isEmpty)
    #expect(game?.interactable.isActive == false)
  }

  @Test func `the listener may detach the game that calls it`() {
    weak let game = attach(.between(.person("ann"), .person("bob")))
    listener.onEnd = { [parent] in for child in parent.children { parent.detachChild(child) } }
    view.listener?.resign(by: .x)
    #expect(game == nil)
    #expect(view.listener == nil)
    #expect(view.calls.last == .announce(Outcome(winner: .o, reason: .resigned)))
  }

  @Test func `a game continues from the given board`() throws {
    let board = try #require(
      Board(.ticTacToe, rows: ["XX.", "OO.", "..."], turn: .x))
    let setup = GameSetup(
      series: Series(PerMark(x: .person("ann"), o: .person("bob"))), seat: .both, board: board)
    _ = attach(setup)
    view.listener?.place(at: Cell(row: 0, column: 2), by: .x)
    #expect(listener.outcomes.map(\.reason) == [.line])
  }
}

@Suite struct SeatTests {
  @Test func `a seat plays its own marks`() {
    for mark in Mark.allCases {
      #expect(Seat.one(mark).plays(mark))
      #expect(!Seat.one(mark).plays(mark.other))
      #expect(Seat.both.plays(mark))
      #expect(!Seat.none.plays(mark))
    }
  }
}
