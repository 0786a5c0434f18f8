import Shared

/// The dependencies of the server's tree.
final class AppComponent: RootDependency {
  let games: GameRegistry
  let random = RandomSource(SecureRandomNumberGenerator())
  let botThinker: any BotThinker
  let timers: any Timers
  let settings: ServerSettings
  let serverLog: ServerLog
  let store: (any MatchStore)?
  let directory: any Directory
  let moderation: Moderation
  let others: any OtherServers
  let group: any ServerGroup

  init(
    games: GameRegistry, loop: EventLoop, settings: ServerSettings, serverLog: ServerLog,
    moderation: Moderation, recovery: Recovery?, cluster: Cluster?
  ) {
    self.moderation = moderation
    self.games = games
    store = cluster?.store ?? recovery?.store
    directory = cluster?.directory ?? recovery?.directory ?? GuestDirectory()
    timers = loop
    others = cluster ?? NoOtherServers(timers: loop)
    group = cluster ?? NoServerGroup()
    let thinker = BackgroundBotThinker(loop: loop)
    botThinker =
      serverLog.metrics.map { MeasuredBotThinker(thinker, timers: loop, metrics: $0) } ?? thinker
    self.settings = settings
    self.serverLog = serverLog
  }
}
