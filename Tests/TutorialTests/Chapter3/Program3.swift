import RIBs

@testable import Tutorial3

/// The program of chapter 3.
final class Program3: TutorialProgram {
  private let output = Output()
  private let console: Console
  private let wire: MemoryWire
  private let host: any HostRouting
  private let root: any LaunchRouting

  init(isTraced: Bool = true) {
    console = Console { [output] in output.write($0) }
    wire = MemoryWire { [output] sender, line in
      if isTraced { output.write(sender == .near ? "    -> \(line)" : "    <- \(line)") }
    }
    host = HostBuilder(dependency: HostAppComponent(wire: wire.far)).build()
    host.launch()
    let games = GameRegistry([.remoteTicTacToe(over: wire.near), .randomWin, .nim])
    root = RootBuilder(dependency: AppComponent(console: console, games: games)).build()
  }

  var tree: [String] { RIBTree(root, maxLines: 10).lines }

  var hostTree: [String] { RIBTree(host, maxLines: 10).lines }

  func start() -> [String] {
    root.launch(from: console)
    return output.take()
  }

  func type(_ line: String) -> [String] {
    console.didType(line)
    wire.deliver()
    return output.take()
  }
}
