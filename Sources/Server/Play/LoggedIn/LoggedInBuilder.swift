import RIBs
import Shared

/// The match's dependencies from the root.
protocol LoggedInDependency: Dependency {
  var matches: MatchRegistry { get }
  var directory: any Directory { get }
  var random: RandomSource { get }
  var botThinker: any BotThinker { get }
  var timers: any Timers { get }
  /// For moves and for players who are away.
  var matchTimers: any Timers { get }
  var settings: ServerSettings { get }
  var serverLog: ServerLog { get }
  /// `nil` if matches are not kept.
  var store: (any MatchStore)? { get }
}

extension LoggedInDependency {
  var matchTimers: any Timers { timers }
  var store: (any MatchStore)? { nil }
  var directory: any Directory { GuestDirectory() }
}

/// The players and the game of a new match.
struct MatchSetup {
  let id: String
  let game: Game
  /// The players by their marks in the first game; `nil` means the bot.
  let players: PerMark<Session?>
  /// How well the bot plays, if one plays.
  var level = BotLevel.hard
  /// The state in which the match goes on; `nil` for a new match.
  var stored: StoredMatch?
}

/// What a match is made of, beside its games.
struct MatchParts {
  let channel: MatchChannel
  let presence: Presence
  /// `nil` if moves are not timed: against the bot they never are.
  let clock: MoveClock?
  let scoreStream: MutableScoreStream
  let counters: GameCounters
}

final class LoggedInComponent: Component<any LoggedInDependency>, TicTacToeDependency {
  let parts: MatchParts

  init(dependency: any LoggedInDependency, setup: MatchSetup) {
    let isTimed = setup.players.x != nil && setup.players.o != nil
    let timeLimit = isTimed ? dependency.settings.turn : nil
    let channel = MatchChannel(
      match: setup.id, game: setup.game.info, seats: setup.players,
      timeLimit: setup.stored.map(\.timeLimit) ?? timeLimit, store: dependency.store,
      stored: setup.stored)
    parts = MatchParts(
      channel: channel,
      presence: Presence(
        channel: channel, grace: dependency.settings.resumeWithin,
        timers: dependency.matchTimers),
      clock: channel.timeLimit.map { MoveClock(limit: $0, timers: dependency.matchTimers) },
      scoreStream: MutableScoreStream(),
      counters: dependency.serverLog.counters.of(setup.game.info))
    super.init(dependency: dependency)
  }

  var random: RandomSource { dependency.random }
  var botThinker: any BotThinker { dependency.botThinker }

  func makeGameView(
    for game: GameInfo, setup: GameSetup
  ) -> any TicTacToeViewControllable {
    NetworkGameView(
      channel: parts.channel, game: game, setup: setup, clock: parts.clock,
      serverLog: dependency.serverLog, counters: parts.counters)
  }
}

protocol LoggedInBuildable: Buildable {
  func build(
    withListener listener: any LoggedInListener, setup: MatchSetup
  ) -> any LoggedInRouting
}

/// Builds a match.
final class LoggedInBuilder: Builder<any LoggedInDependency>, LoggedInBuildable {
  func build(
    withListener listener: any LoggedInListener, setup: MatchSetup
  ) -> any LoggedInRouting {
    let component = LoggedInComponent(dependency: dependency, setup: setup)
    let interactor = LoggedInInteractor(
      setup: setup, parts: component.parts, matches: dependency.matches,
      directory: dependency.directory, maxSpectators: dependency.settings.maxSpectators,
      timers: dependency.timers, serverLog: dependency.serverLog)
    interactor.listener = listener
    let router = LoggedInRouter(
      interactor: interactor, gameBuilder: setup.game.builder(dependency: component))
    interactor.router = router
    return router
  }
}
