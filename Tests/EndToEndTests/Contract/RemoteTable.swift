import Shared
import TestSupport

@testable import Client
@testable import Server

/// Two players at two clients, each with the proxy of a game whose rules are in a server's match.
final class RemoteTable: Table {
  private let wire: any Wire
  private let game: GameInfo
  private let root: any Server.RootRouting
  private let control: any Server.ServerControl
  private let people: [RemotePerson]

  init(_ wire: any Wire, _ game: GameInfo) throws {
    self.wire = wire
    self.game = game
    let games = GameRegistry([Game(game, makeBuilder: TicTacToeBuilder.init)])
    (root, control) = Server.RootBuilder(
      dependency: ServerDependency(games: games, timers: wire.timers)
    ).build()
    control.launch()
    try wire.serve(control)
    people = ["ann", "bob"].map {
      RemotePerson($0, game, timers: wire.timers, connect: wire.connect)
    }
    for person in people { try wire.run { person.isLoggedIn } }
    // Who waits first is X.
    for person in people {
      person.gameService.lobby.start(game, against: .anyone)
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
    for person in people { person.gameService.lobby.start(game, against: .anyone) }
    try settle()
  }
}
