/// __NAME__ in plain lines.
final class Plain__NAME__View: __NAME__ViewControllable, ConsoleChild {
  weak var listener: (any __NAME__PresentableListener)?
  weak var parent: (any ConsoleView)?
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  func show(_ sentence: String) {
    console.say(sentence)
    _ = parent?.didType("")
  }
}

extension Plain__NAME__View: ConsoleView {
  func didType(_ line: String) -> Bool {
    guard line == "back" else { return false }
    listener?.close()
    return true
  }
}
