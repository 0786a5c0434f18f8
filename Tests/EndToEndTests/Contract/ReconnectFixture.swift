import RIBs
import Shared
import TestSupport

@testable import Client
@testable import Server

/// A server and two clients without screens in one process. Their connections can be cut at any
/// byte.
final class ReconnectFixture {
  let clock = ManualTimers()
  private(set) var clients: [HeadlessClient] = []
  private let network: MemoryNetwork
  private let root: any Server.RootRouting
  private let control: any Server.ServerControl
  /// How many more pieces move before the first client's connection is cut.
  private var stepsToCut: Int?
  private var near: MemoryConnection?

  init(seed: UInt64) {
    network = MemoryNetwork(seed: seed)
    let games = GameRegistry([Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)])
    (root, control, _) = Server.RootBuilder(
      dependency: ServerDependency(games: games, timers: clock)
    ).build()
    control.launch()
    clients = ["ann", "bob"].map { name in
      HeadlessClient(name, .ticTacToe, timers: clock) { [unowned self] _, _, answer in
        let (near, far) = network.connect()
        if name == "ann" { self.near = near }
        answer(.success(near))
        control.accept(far)
        return CompositeCancellable()
      }
    }
    settle()
    for client in clients {
      client.gameService.lobby.start(.ticTacToe, against: .anyone, level: nil)
      settle()
    }
  }

  deinit {
    for client in clients { client.stop() }
  }

  /// Cuts the first client's connection after that many pieces have moved.
  func cut(after steps: Int) {
    stepsToCut = steps
  }

  var hasCut: Bool { stepsToCut == nil }

  /// Delivers everything that needs no time to pass.
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

  /// Places the mark of the player whose turn it is; repeats the command if the connection lost it.
  func place(_ index: Int) {
    for _ in 0..<20 {
      guard let before = clients[1].parent.game?.board, let turn = before.turn,
        let mover = clients.first(where: { $0.parent.setups.last?.seat == .one(turn) })
      else { return }
      mover.parent.viewFactory.last?.listener?.place(at: before.shape.cell(at: index), by: nil)
      settle()
      if clients[1].parent.game?.board != before { return }
      clock.advance(by: .milliseconds(300))
      settle()
    }
  }
}
