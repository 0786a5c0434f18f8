import Shared

extension Screen: Window {
  func show(_ root: any ViewControllable) {
    content = root as? any ScreenContent
  }
}
