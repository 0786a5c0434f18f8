import Shared

/// The view of a game on the server: shows it to both players through their match's channel.
final class NetworkGameView: TicTacToeViewControllable {
  private let channel: MatchChannel
  private let game: GameInfo
  private let series: Series

  init(channel: MatchChannel, game: GameInfo, series: Series) {
    self.channel = channel
    self.game = game
    self.series = series
  }

  /// The channel holds it, weakly, for the players' moves to reach it.
  var listener: (any TicTacToePresentableListener)? {
    get { channel.game }
    set { channel.game = newValue }
  }

  func show(_ board: Board) {
    channel.send(.gameDidStart(GamePicture(game: game, series: series, board: board)))
  }

  func apply(_ change: Change) {
    channel.send(change)
  }

  /// A session always says its mark.
  func refuse(_ refusal: Refusal, to mark: Mark?) {
    guard let mark else { return }
    channel.seats[mark]?.write(.error(ErrorCode(refusal)))
  }

  /// Nothing here: the end of a game carries the score, so the match tells it.
  func announce(_ outcome: Outcome) {}
}

extension GamePicture {
  init(game: GameInfo, series: Series, you: Mark? = nil, board: Board) {
    self.init(
      game: game.id, you: you, players: series.players.map(\.name), board: board,
      score: series.score)
  }
}
