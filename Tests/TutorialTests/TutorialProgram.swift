/// The program of a chapter in this process.
protocol TutorialProgram: AnyObject {
  /// Returns the lines that the program writes when it starts.
  func start() -> [String]
  /// Types a line, and returns the lines that the program then writes.
  func type(_ line: String) -> [String]
  /// The tree of RIBs, one line for each.
  var tree: [String] { get }
}

/// The lines that a program has written.
final class Output {
  private var lines: [String] = []

  func write(_ line: String) {
    lines.append(line)
  }

  /// Returns the lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
