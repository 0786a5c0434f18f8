import RIBs

@testable import Tutorial1

/// The program of chapter 1.
final class Program1: TutorialProgram {
  private let output = Output()
  private let console: Console
  private let root: any LaunchRouting

  init() {
    console = Console { [output] in output.write($0) }
    root = RootBuilder(dependency: AppComponent(console: console)).build()
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
