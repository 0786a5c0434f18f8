import RIBs
import Shared

/// The near end: the tree, the terminal, and a wire to the server.
final class NimClient {
  let console: Console
  private let didEnd: () -> Void
  private var root: (any LaunchRouting)?
  private var wire: TCPWire?

  /// `didEnd` is called when the game is over or the server has gone.
  init(write: @escaping (String) -> Void, didEnd: @escaping () -> Void) {
    console = Console(write: write)
    self.didEnd = didEnd
  }

  func play(over connection: any Connection) {
    let wire = TCPWire(connection) { [unowned self] in
      console.say("The server has gone.")
      didEnd()
    }
    self.wire = wire
    let component = AppComponent(
      console: console, players: Players(x: "X", o: "O"),
      wire: SpokenWire(over: wire) { [console] in console.say($0) })
    let root = RootBuilder(dependency: component).build(withListener: self)
    self.root = root
    root.launch(from: console)
  }
}

extension NimClient: RootListener {
  func gameIsOver() {
    wire?.close()
    didEnd()
  }
}

final class AppComponent: EmptyComponent, RootDependency {
  let console: Console
  let players: Players
  let wire: any Wire

  init(console: Console, players: Players, wire: any Wire) {
    self.console = console
    self.players = players
    self.wire = wire
  }
}
