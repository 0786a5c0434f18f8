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

final class LoggedInComponent: Component<any LoggedInDependency>, TicTacToeDependency {
  let channel: MatchChannel
  let scoreStream = MutableScoreStream()
  let presence: Presence
  /// `nil` if moves are not timed: against the bot they never are.
  let clock: MoveClock?
  let counters: GameCounters

  init(dependency: any LoggedInDependency, setup: MatchSetup) {
    let isTimed = setup.players.x != nil && setup.players.o != nil
    let timeLimit = isTimed ? dependency.settings.turn : nil
    let channel = MatchChannel(
      match: setup.id, game: setup.game.info, seats: setup.players,
      timeLimit: setup.stored.map(\.timeLimit) ?? timeLimit, store: dependency.store,
      stored: setup.stored)
    self.channel = channel
    presence = Presence(
      channel: channel, grace: dependency.settings.resumeWithin,
      timers: dependency.matchTimers)
    counters = dependency.serverLog.counters.of(setup.game.info)
    clock = channel.timeLimit.map { MoveClock(limit: $0, timers: dependency.matchTimers) }
    super.init(dependency: dependency)
  }

  var random: RandomSource { dependency.random }
  var botThinker: any BotThinker { dependency.botThinker }

  func makeGameView(
    for game: GameInfo, setup: GameSetup
  ) -> any TicTacToeViewControllable {
    NetworkGameView(
      channel: channel, game: game, setup: setup, clock: clock,
      serverLog: dependency.serverLog, counters: counters)
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
      game: setup.game.info, level: setup.level, matches: dependency.matches,
      directory: dependency.directory, channel: component.channel,
      presence: component.presence, clock: component.clock, scoreStream: component.scoreStream,
      maxSpectators: dependency.settings.maxSpectators, timers: dependency.timers,
      serverLog: dependency.serverLog, counters: component.counters, stored: setup.stored)
    interactor.listener = listener
    let router = LoggedInRouter(
      interactor: interactor, gameBuilder: setup.game.builder(dependency: component))
    interactor.router = router
    return router
  }
}
