import RIBs

/// Shows one view at a time, and passes the typed lines to it.
final class RootView: RootViewControllable, LoggedInViewControllable {
  private var presented: (any ViewControllable)?

  func present(_ view: any ViewControllable) {
    presented = view
  }

  func dismiss(_ view: any ViewControllable) {
    if presented === view { presented = nil }
  }
}

extension RootView: ConsoleView {
  func didType(_ line: String) {
    (presented as? any ConsoleView)?.didType(line)
  }
}
