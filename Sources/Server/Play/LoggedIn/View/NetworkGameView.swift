import Shared

/// The view of a game on the server: sends the game to everyone in the match, through the match's
/// channel.
final class NetworkGameView: TicTacToeViewControllable {
  private let channel: MatchChannel
  private let game: GameInfo
  private let series: Series
  /// `nil` if two people play.
  private let level: BotLevel?
  private let clock: MoveClock?
  /// Whether everyone knows of the beginning of the game.
  private let hasBegun: Bool
  private let serverLog: ServerLog
  private let counters: GameCounters

  init(
    channel: MatchChannel, game: GameInfo, setup: GameSetup, clock: MoveClock?,
    serverLog: ServerLog, counters: GameCounters
  ) {
    self.channel = channel
    self.game = game
    series = setup.series
    hasBegun = setup.hasBegun
    self.clock = clock
    self.serverLog = serverLog
    self.counters = counters
    let players = setup.series.players
    level = players.x.isBot || players.o.isBot ? setup.level : nil
  }

  /// Stored in the channel, which passes the players' moves to it.
  var listener: (any TicTacToePresentableListener)? {
    get { channel.gameListener }
    set { channel.gameListener = newValue }
  }

  func show(_ board: Board) {
    if board.turn != nil { clock?.start() }
    guard !hasBegun else { return }
    channel.send(
      GameState(
        game: game, series: series, board: board, level: level,
        timeLeft: channel.timeLimit))
  }

  func apply(_ change: Change) {
    serverLog.didMove(change.placement, in: channel.match, counters)
    if change.turn != nil { clock?.start() }
    channel.send(change)
  }

  /// Sessions always pass their mark, so `mark` is never `nil` here.
  func refuse(_ refusal: MoveError, to mark: Mark?) {
    guard let mark else { return }
    channel.seats[mark]?.write(.error(refusal, on: game.shape))
  }

  /// Does nothing: the end of a game carries the score, so the match sends it.
  func announce(_ outcome: Outcome) {}
}

extension GameState {
  /// `level` is that of the bot; `nil` if two people play.
  init(
    game: GameInfo, series: Series, you: Mark? = nil, board: Board, level: BotLevel?,
    timeLeft: Duration?
  ) {
    self.init(
      game: game.id, you: you, players: series.players.map(\.name), board: board,
      score: series.score, level: level, timeLeft: timeLeft)
  }
}
