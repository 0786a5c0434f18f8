import RIBs

/// A view on the terminal: gets the lines that are typed while it is shown.
protocol ConsoleView: ViewControllable {
  func didType(_ line: String)
}

/// The terminal, in place of UIKit's window: writes lines, and passes each typed line to the view
/// of the root.
final class Console: Window {
  private weak var root: (any ConsoleView)?
  private let write: (String) -> Void

  init(write: @escaping (String) -> Void) {
    self.write = write
  }

  func say(_ line: String) {
    write(line)
  }

  func show(_ root: any ViewControllable) {
    self.root = root as? any ConsoleView
  }

  func didType(_ line: String) {
    root?.didType(line)
  }
}
