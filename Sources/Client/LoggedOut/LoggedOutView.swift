import Shared

/// What a person does at the form.
protocol LoggedOutPresentableListener: AnyObject {
  /// A blank one leaves the choice to whoever runs the games.
  func didEnter(name: String)
}

protocol LoggedOutViewControllable: ViewControllable {}

final class LoggedOutView: LoggedOutPresentable, LoggedOutViewControllable {
  weak var listener: (any LoggedOutPresentableListener)?
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  func ask(_ field: NameField) {
    console.ask(field.prompt)
  }

  func show(_ refusal: LoginRefusal) {
    console.say(refusal.sentence)
  }
}

extension LoggedOutView: ConsoleView {
  func didType(_ line: String) -> Bool {
    listener?.didEnter(name: line.trimmed)
    return true
  }
}
