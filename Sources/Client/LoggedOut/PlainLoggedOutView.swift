import Shared

/// The form in plain lines.
final class PlainLoggedOutView: LoggedOutViewControllable {
  weak var listener: (any LoggedOutPresentableListener)?
  private let console: Console
  private var field: NameField?

  init(console: Console) {
    self.console = console
  }

  func ask(_ field: NameField) {
    self.field = field
    console.ask(field.prompt)
  }

  func show(_ refusal: LoginRefusal) {
    console.say(refusal.sentence)
  }
}

extension PlainLoggedOutView: ConsoleView {
  static let help =
    "Type the name that others will see, or nothing; to end the program, type: quit"

  func didType(_ line: String) -> Bool {
    let name = line.trimmed
    if name == "help" {
      console.say(Self.help)
      if let field { ask(field) }
    } else {
      listener?.didEnter(name: name)
    }
    return true
  }
}
