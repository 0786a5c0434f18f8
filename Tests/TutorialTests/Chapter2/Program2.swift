import RIBs

@testable import Tutorial2

/// The program of chapter 2.
final class Program2: TutorialProgram {
  private let output = Output()
  private let console: Console
  private let root: any LaunchRouting

  init() {
    console = Console { [output] in output.write($0) }
    let games = GameRegistry([.ticTacToe, .coinOfX])
    root = RootBuilder(dependency: AppComponent(console: console, games: games)).build()
  }

  var tree: [String] { RIBTree(root, maxLines: 10).lines }

  func start() -> [String] {
    root.launch(from: console)
    return output.take()
  }

  func type(_ line: String) -> [String] {
    console.didType(line)
    return output.take()
  }
}

extension Game {
  /// A random win whose coin is always for X.
  static var coinOfX: Game {
    Game(name: "randomwin") { RandomWinBuilder(dependency: $0, toss: { true }) }
  }
}
