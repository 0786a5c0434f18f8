import Shared

/// A view that reads lines.
protocol ConsoleView: AnyObject {
  /// Handles a line. Returns `false` if the line has no meaning in the view; the root view handles
  /// it then.
  func didType(_ line: String) -> Bool
}

extension Console: Window {
  func show(_ root: any ViewControllable) {
    reader = root as? any ConsoleDelegate
  }
}
