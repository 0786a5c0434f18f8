import RIBs
import Shared

/// The root's dependencies from the program.
protocol RootDependency: Dependency {
  var games: GameRegistry { get }
  var random: RandomSource { get }
  var botThinker: any BotThinker { get }
  var timers: any Timers { get }
  var settings: ServerSettings { get }
  var serverLog: ServerLog { get }
  /// `nil` if matches are not kept.
  var store: (any MatchStore)? { get }
  var directory: any Directory { get }
  var moderation: Moderation { get }
  var others: any OtherServers { get }
}

extension RootDependency {
  var store: (any MatchStore)? { nil }
  var directory: any Directory { GuestDirectory() }
  var moderation: Moderation { Moderation() }
  var others: any OtherServers { NoOtherServers(timers: timers) }
}

final class RootComponent: Component<any RootDependency>, LoggedInDependency {
  var random: RandomSource { dependency.random }
  var botThinker: any BotThinker { dependency.botThinker }
  var timers: any Timers { dependency.timers }
  var matchTimers: any Timers { others.matchTimers }
  /// Those of the dependency, until the operator changes them.
  var settings: ServerSettings
  var serverLog: ServerLog { dependency.serverLog }
  var store: (any MatchStore)? { dependency.store }
  var directory: any Directory { shared { dependency.directory } }
  var others: any OtherServers { shared { dependency.others } }

  override init(dependency: any RootDependency) {
    settings = dependency.settings
    super.init(dependency: dependency)
  }

  var matches: MatchRegistry {
    shared { MatchRegistry(maxMatches: settings.maxMatches, store: store) }
  }

  var lobby: Lobby {
    shared {
      Lobby(
        games: dependency.games, matches: matches, directory: directory, settings: settings,
        moderation: dependency.moderation, others: others,
        context: LobbyContext(random: random, timers: timers, serverLog: serverLog))
    }
  }

  var connections: ConnectionRegistry {
    shared {
      ConnectionRegistry(lobby: lobby, timers: timers, settings: settings, serverLog: serverLog)
    }
  }
}

/// What the operator sees of the tree.
struct ServerParts {
  let lobby: Lobby
  let matches: MatchRegistry
  let connections: ConnectionRegistry
  let random: RandomSource
  /// The program holds it.
  let root: any Routing
}

protocol RootBuildable: Buildable {
  /// Returns the router of the tree, which the program holds, the program's control of the tree,
  /// and its parts, for the operator.
  func build() -> (router: any RootRouting, control: any ServerControl, parts: ServerParts)
}

/// Builds the server's tree, ready to be launched.
final class RootBuilder: Builder<any RootDependency>, RootBuildable {
  func build() -> (router: any RootRouting, control: any ServerControl, parts: ServerParts) {
    let component = RootComponent(dependency: dependency)
    let interactor = RootInteractor(
      lobby: component.lobby, connections: component.connections, random: component.random,
      timers: component.timers, settings: component.settings, serverLog: component.serverLog,
      store: component.store)
    interactor.onSettingsChange = { component.settings = $0 }
    let router = RootRouter(
      interactor: interactor, loggedInBuilder: LoggedInBuilder(dependency: component))
    interactor.router = router
    let parts = ServerParts(
      lobby: component.lobby, matches: component.matches, connections: component.connections,
      random: component.random, root: router)
    return (router, interactor, parts)
  }
}
