import Shared

/// A view that reads lines.
protocol ConsoleView: AnyObject {
  /// Answers `false` where the line means nothing to it; the root view looks at it then.
  func didType(_ line: String) -> Bool
}

extension Console: Window {
  func show(_ root: any ViewControllable) {
    reader = root as? any ConsoleDelegate
  }
}
