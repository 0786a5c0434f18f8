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
final class TicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  TicTacToeInteractable
{
  /// The parent, which owns the game and outlives it. `unowned`, because a weak reference would
  /// slow down every retain and release of the parent: a release takes 95 instructions instead of
  /// 18.
  unowned var listener: (any GameListener)?
  private(set) var board: Board
  private let isBot: PerMark<Bool>
  private let random: RandomSource

  init(presenter: any TicTacToePresentable, setup: GameSetup, random: RandomSource) {
    board = setup.board
    isBot = setup.series.players.map { $0 == .bot }
    self.random = random
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.show(board)
  }

  /// Called when the RIB is loaded. A bot that plays X moves now.
  func begin() {
    moveForBots()
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    guard board.turn != nil else { return }
    board.end(reason, by: mark)
    finish()
  }

  /// Moves for the bot, after the view's call has returned. Within that call, views would get the
  /// changes in a different order.
  @inline(never)
  private func moveForBots() {
    while let mark = board.turn, isBot[mark] {
      let cell = Strategy().move(on: board, using: random)
      do throws(MoveError) {
        presenter.apply(try board.place(mark, at: cell))
      } catch {
        preconditionFailure("The bot's move was refused: \(error).")
      }
    }
    if board.turn == nil { finish() }
  }

  private func finish() {
    guard let outcome = board.outcome else { return }
    presenter.announce(outcome)
    listener?.gameDidEnd(with: outcome)
  }
}

extension TicTacToeInteractor: TicTacToePresentableListener {
  func place(at cell: Cell, by mark: Mark?) {
    guard let mover = mark ?? board.turn else { return presenter.refuse(.noGame, to: mark) }
    do throws(MoveError) {
      presenter.apply(try board.place(mover, at: cell))
    } catch {
      return presenter.refuse(error, to: mark)
    }
    if let turn = board.turn, !isBot[turn] { return }
    moveForBots()
  }

  func resign(by mark: Mark?) {
    guard let turn = board.turn else { return presenter.refuse(.noGame, to: mark) }
    end(.resigned, by: mark ?? turn)
  }
}
