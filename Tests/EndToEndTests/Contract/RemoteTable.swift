import Shared
import TestSupport

@testable import Client
@testable import Server

/// Two players at two clients, each with the proxy of a game whose rules are in a server's match.
final class RemoteTable: Table {
  private let wire: any Wire
  private let game: GameInfo
  private let root: any Server.RootRouting
  private let people: [RemotePerson]

  init(_ wire: any Wire, _ game: GameInfo) throws {
    self.wire = wire
    self.game = game
    let games = GameRegistry([Game(game, makeBuilder: TicTacToeBuilder.init)])
    root = Server.RootBuilder(dependency: ServerDependency(games: games, timers: wire.timers))
      .build()
    root.launch()
    try wire.serve(root)
    people = ["ann", "bob"].map { RemotePerson($0, wire, game) }
    for person in people { try wire.run { person.isLoggedIn } }
    // Who waits first is X.
    for person in people {
      person.play.start(game, against: .anyone)
      try settle()
    }
  }

  deinit {
    for person in people { person.stop() }
  }

  func parent(of mark: Mark) -> GameParent {
    let person = people.first { $0.parent.setups.last?.seat == .one(mark) }
    return (person ?? people[0]).parent
  }

  /// The server answers each person in order, and what one does is written to the other at once:
  /// so once both have an answer, one after the other, everything has come.
  func settle() throws {
    for person in people + people { try wire.run(until: person.ping()) }
  }

  func playNext() throws {
    for person in people { person.play.start(game, against: .anyone) }
    try settle()
  }
}

/// A client without its screen.
private final class RemotePerson: PlayListener {
  let parent = GameParent()
  let play: RemotePlay
  private(set) var isLoggedIn = false
  private let name: String
  private let link: ServerLink
  private let worker = Interactor()

  init(_ name: String, _ wire: any Wire, _ game: GameInfo) {
    self.name = name
    link = ServerLink(timers: wire.timers, connect: wire.connect)
    let match = RemoteMatch(link: link)
    let games = GameRegistry([
      Game(game) { dependency, game in
        RemoteTicTacToeBuilder(dependency: dependency, game: game, match: match)
      }
    ])
    play = RemotePlay(
      link: link, match: match, games: games, scoreStream: MutableScoreStream(),
      timers: wire.timers, random: RandomSource(SeededGenerator(seed: 1)),
      tokens: TokenFile(folder: nil), address: ServerAddress(host: "server", port: 1),
      connectTime: .atLaunch)
    play.listener = self
    worker.activate()
    link.start(worker)
    play.open()
  }

  func stop() {
    worker.deactivate()
  }

  /// Asks for a sign of life; the answer says whether it has come.
  func ping() -> () -> Bool {
    var hasAnswered = false
    link.send(.ping) { _ in hasAnswered = true }
    return { hasAnswered }
  }

  func playDidOpen() {
    _ = play.login(with: [name, "server", "1"], progress: { _ in }) { [weak self] _ in
      self?.isLoggedIn = true
    }
  }

  func play(didStart game: Game, setup: GameSetup) {
    parent.attach(game, setup: setup)
  }

  func playDidNotStart(_ failure: FailedStart) {}

  func playDidEndMatch() {}

  func playDidLogOut(_ reason: String) {}

  func playDidClose(_ farewell: Farewell) {}
}

private final class ServerDependency: Server.RootDependency {
  let games: GameRegistry
  let random = RandomSource(SeededGenerator(seed: 3))
  let timers: any Timers
  let settings = ServerSettings()
  let journal = Journal(.silent)

  init(games: GameRegistry, timers: any Timers) {
    self.games = games
    self.timers = timers
  }
}
