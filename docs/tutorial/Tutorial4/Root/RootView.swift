import RIBs

/// Shows the view of the game, and passes the typed lines to it.
final class RootView: RootViewControllable {
  private var presented: (any ViewControllable)?

  func present(_ view: any ViewControllable) {
    presented = view
  }
}

extension RootView: ConsoleView {
  func didType(_ line: String) {
    (presented as? any ConsoleView)?.didType(line)
  }
}
