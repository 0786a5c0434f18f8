import Shared
import TestSupport

@testable import Client
@testable import Server

/// A server and two clients without screens in one process, whose connections can be cut at any
/// byte.
final class ReturnTable {
  let clock = ManualTimers()
  private(set) var people: [RemotePerson] = []
  private let network: MemoryNetwork
  private let root: any Server.RootRouting
  private let control: any Server.ServerControl
  /// After how many pieces of bytes the first person's connection is cut.
  private var stepsToCut: Int?
  private var near: MemoryConnection?

  init(seed: UInt64) {
    network = MemoryNetwork(seed: seed)
    let games = GameRegistry([Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)])
    (root, control) = Server.RootBuilder(
      dependency: ServerDependency(games: games, timers: clock)
    ).build()
    control.launch()
    people = ["ann", "bob"].map { name in
      RemotePerson(name, .ticTacToe, timers: clock) { [unowned self] _, _, answer in
        let (near, far) = network.connect()
        if name == "ann" { self.near = near }
        answer(.success(near))
        control.accept(far)
        return CompositeCancellable()
      }
    }
    settle()
    for person in people {
      person.gameService.lobby.start(.ticTacToe, against: .anyone)
      settle()
    }
  }

  deinit {
    for person in people { person.stop() }
  }

  /// Cuts the first person's connection once so many pieces have moved.
  func cut(after steps: Int) {
    stepsToCut = steps
  }

  var hasCut: Bool { stepsToCut == nil }

  /// Lets everything happen that needs no time.
  func settle() {
    while true {
      if stepsToCut == 0 {
        stepsToCut = nil
        near?.cut()
      }
      if network.step() {
        stepsToCut = stepsToCut.map { $0 - 1 }
      } else if !clock.advance(by: .zero) {
        return
      }
    }
  }

  /// Marks a cell for whose turn it is; again where the connection took the command with it.
  func place(_ index: Int) {
    for _ in 0..<20 {
      guard let before = people[1].parent.game?.board, let turn = before.turn,
        let mover = people.first(where: { $0.parent.setups.last?.seat == .one(turn) })
      else { return }
      mover.parent.viewFactory.last?.listener?.place(at: before.shape.cell(at: index), by: nil)
      settle()
      if people[1].parent.game?.board != before { return }
      clock.advance(by: .milliseconds(300))
      settle()
    }
  }
}
