package import RIBs

/// The view of a game, as its interactor sees it: a terminal or, on the server, the connections of
/// both players.
package protocol TicTacToePresentable: Presentable {
  /// The game's interactor. Hold it weakly.
  var listener: (any TicTacToePresentableListener)? { get set }
  /// Shows a whole board: the game has begun, or its state was replaced.
  func show(_ board: Board)
  /// Applies a change of the board. Called once for each move.
  func apply(_ change: Change)
  /// A move or a resignation was refused, and nothing has changed. In a remote game the refusal
  /// arrives later. `mark` is the mark with which the listener was called.
  func refuse(_ refusal: MoveError, to mark: Mark?)
  /// The game is over. Called after the last change.
  func announce(_ outcome: Outcome)
}

/// The actions of a person at the view. The result arrives as a call of `TicTacToePresentable`,
/// never as a return value, because the rules may be at the other end of a wire.
package protocol TicTacToePresentableListener: AnyObject {
  /// Puts a mark on a cell. `nil` means the mark whose turn it is.
  func place(at cell: Cell, by mark: Mark?)
  /// Resigns the game for a mark. `nil` means the mark whose turn it is.
  func resign(by mark: Mark?)
}

/// The authority over one game: applies the rules, reports each change to the view, and moves for
/// the bot.
package final class TicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  TicTacToeInteractable
{
  /// The parent, which owns the game and outlives it. `unowned`, because a weak reference would
  /// slow down every retain and release of the parent: a release takes 95 instructions instead of
  /// 18.
  unowned var listener: (any GameListener)?
  private(set) var board: Board
  private let isBot: PerMark<Bool>
  private let level: BotLevel
  private let random: RandomSource
  /// `nil` if no bot plays.
  private let botThinker: (any BotThinker)?
  /// The bot's thought under way.
  private var thought: (any Cancellable)?

  package init(
    presenter: any TicTacToePresentable, setup: GameSetup, random: RandomSource,
    botThinker: (any BotThinker)?
  ) {
    board = setup.board
    isBot = setup.series.players.map { $0.isBot }
    level = setup.level
    self.random = random
    self.botThinker = botThinker
    super.init(presenter: presenter)
    presenter.listener = self
  }

  package override func didBecomeActive() {
    presenter.show(board)
  }

  package override func willResignActive() {
    cancelThought()
  }

  /// Called when the RIB is loaded. A bot that plays X moves now.
  func begin() {
    moveForBots()
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    guard board.turn != nil else { return }
    cancelThought()
    board.end(reason, by: mark)
    finish()
  }

  /// Moves for the bot, after the view's call has returned. Within that call, views would get the
  /// changes in a different order. A move that needs time comes later.
  @inline(never)
  private func moveForBots() {
    let strategy = Strategy(level: level)
    while let mark = board.turn, isBot[mark] {
      guard !strategy.takesTime(on: board) else {
        thought = botThinker?.move(on: board, by: strategy) { [weak self] in self?.didThink(of: $0)
        }
        return
      }
      place(mark, at: strategy.move(on: board, using: random))
    }
    if board.turn == nil { finish() }
  }

  private func didThink(of cell: Cell) {
    thought = nil
    guard let mark = board.turn, isBot[mark] else { return }
    place(mark, at: cell)
    moveForBots()
  }

  /// Places the bot's mark.
  private func place(_ mark: Mark, at cell: Cell) {
    do throws(MoveError) {
      presenter.apply(try board.place(mark, at: cell))
    } catch {
      preconditionFailure("The bot's move was refused: \(error).")
    }
  }

  private func cancelThought() {
    thought?.cancel()
    thought = nil
  }

  private func finish() {
    guard let outcome = board.outcome else { return }
    presenter.announce(outcome)
    listener?.gameDidEnd(with: outcome)
  }
}

extension TicTacToeInteractor: TicTacToePresentableListener {
  package func place(at cell: Cell, by mark: Mark?) {
    guard let mover = mark ?? board.turn else { return presenter.refuse(.noGame, to: mark) }
    // A view without a mark plays for people only, and the bot is still thinking.
    guard mark != nil || !isBot[mover] else { return presenter.refuse(.notYourTurn, to: mark) }
    do throws(MoveError) {
      presenter.apply(try board.place(mover, at: cell))
    } catch {
      return presenter.refuse(error, to: mark)
    }
    if let turn = board.turn, !isBot[turn] { return }
    moveForBots()
  }

  package func resign(by mark: Mark?) {
    guard let turn = board.turn else { return presenter.refuse(.noGame, to: mark) }
    end(.resigned, by: mark ?? (isBot[turn] ? turn.other : turn))
  }
}
