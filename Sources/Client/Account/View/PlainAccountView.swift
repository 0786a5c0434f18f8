import Shared

/// The form of an account in plain lines: asks for one password after another, without showing
/// them. After a refusal it asks for the first one again: a password that the person repeats must
/// never reach a question that shows it.
final class PlainAccountView: AccountViewControllable {
  weak var listener: (any AccountPresentableListener)?
  private let console: Console
  private var fields: [LoginField] = []
  /// The index of the field that is asked for; `nil` while the server is asked.
  private var asked: Int?

  init(console: Console) {
    self.console = console
  }

  func show(_ form: LoginForm) {
    fields = form.fields
    if let alert = form.alert {
      console.say(alert)
      ask(0)
    } else if form.state != .editing {
      asked = nil
    } else if asked == nil {
      console.say(([form.title + "."] + [form.note].compactMap(\.self)).joined(separator: " "))
      ask(0)
    }
  }

  private func ask(_ index: Int) {
    asked = index
    let blank = index == 0 ? "go back" : "start again"
    console.ask("\(fields[index].label) (blank: \(blank)): ", isSecret: true)
  }
}

extension PlainAccountView: ConsoleView {
  var isAsking: Bool { asked != nil }

  func didType(_ line: String) -> Bool {
    guard let asked else { return false }
    if line.isEmpty {
      if asked == 0 { listener?.didCancel() } else { ask(0) }
    } else if !Command.isPassword(line) {
      console.say(PasswordFile.rule)
      ask(asked)
    } else {
      listener?.didChange(field: asked, to: line)
      if asked + 1 < fields.count { ask(asked + 1) } else { listener?.didSubmit() }
    }
    return true
  }
}
