import RIBs

/// What the program gives to the tree.
final class AppComponent: EmptyComponent, RootDependency {
  let console: Console

  init(console: Console) {
    self.console = console
  }
}
