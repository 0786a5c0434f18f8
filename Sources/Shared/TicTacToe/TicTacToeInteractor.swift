/// What a game shows itself with: a terminal, or on the server both players' connections.
package protocol TicTacToePresentable: Presentable {
  /// Owned by the game; to be held weakly.
  var listener: (any TicTacToePresentableListener)? { get set }
  /// The game begins, or its state has been replaced.
  func show(_ board: Board)
  /// The board has changed; one call a move.
  func apply(_ change: Change)
  /// A move, or giving up, was refused; nothing has changed. From a remote game this comes late.
  /// `mark` is the one that the listener was called with.
  func refuse(_ refusal: MoveError, to mark: Mark?)
  /// The game is over; after the last change.
  func announce(_ outcome: Outcome)
}

/// What a person does at the view. The answer is a call of `TicTacToePresentable`, never a return
/// value, since the rules may be at the other end of a wire.
package protocol TicTacToePresentableListener: AnyObject {
  /// Puts a mark on a cell; without one, that of whose turn it is.
  func place(at cell: Cell, by mark: Mark?)
  /// Gives the game up; without a mark, for whose turn it is.
  func resign(by mark: Mark?)
}

/// The authority over one game: asks the rules, tells the view each change, moves for the bot.
final class TicTacToeInteractor: PresentableInteractor<any TicTacToePresentable>,
  TicTacToeInteractable
{
  /// The parent, which outlives the game; so it need not be weak, which would make each reference to
  /// the parent dear to count.
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

  /// Called once all is loaded: a bot that plays X moves now.
  func begin() {
    moveForBots()
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    guard board.turn != nil else { return }
    board.end(reason, by: mark)
    finish()
  }

  /// The bot moves after the view's call has returned, never within one: views would see the
  /// changes in another order.
  @inline(never)
  private func moveForBots() {
    while let mark = board.turn, isBot[mark] {
      let cell = Strategy().move(on: board, using: random)
      do throws(MoveError) {
        presenter.apply(try board.place(mark, at: cell))
      } catch {
        preconditionFailure("The bot chose a move that is refused: \(error).")
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
