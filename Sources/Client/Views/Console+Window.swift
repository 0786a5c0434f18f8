import Shared

extension Console: Window {
  func show(_ root: any ViewControllable) {
    reader = root as? any ConsoleReader
  }
}
