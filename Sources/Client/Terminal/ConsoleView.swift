/// A view that reads lines.
protocol ConsoleView: AnyObject {
  /// Whether a game is running that a person at this client would lose.
  var isGameRunning: Bool { get }
  /// Whether the view has asked a question of its own, which only a line of text answers.
  var isAsking: Bool { get }
  /// Handles a line. Returns `false` if the line has no meaning in the view; the root view handles
  /// it then.
  func didType(_ line: String) -> Bool
}

/// The view of a child. It gets each line before the view of its parent does.
protocol ConsoleChild: ConsoleView {
  /// An empty line makes it ask again.
  var parent: (any ConsoleView)? { get set }
}

extension ConsoleView {
  var isGameRunning: Bool { false }
  var isAsking: Bool { false }
}
