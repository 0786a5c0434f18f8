import Shared

/// Two players at one keyboard.
final class LocalTable: Table {
  private let parent = GameParent()
  private let game: Game
  private var series = Series(PerMark(x: .person("ann"), o: .person("bob")))

  init(_ info: GameInfo) {
    game = Game(info, makeBuilder: TicTacToeBuilder.init)
    begin()
  }

  func parent(of mark: Mark) -> GameParent { parent }

  func settle() {}

  func playNext() {
    if let outcome = parent.outcomes.last { series.gameDidEnd(with: outcome) }
    series.swapMarks()
    begin()
  }

  private func begin() {
    parent.attach(
      game, setup: GameSetup(series: series, seat: .both, board: Board(game.info.shape)))
  }
}
