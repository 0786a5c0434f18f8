import Shared

/// The form of an account in plain lines: asks for one password after another, without showing
/// them. After a refusal it closes the form.
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
      listener?.didCancel()
    } else if form.state != .editing {
      asked = nil
    } else if asked == nil {
      console.say(([form.title + "."] + [form.note].compactMap(\.self)).joined(separator: " "))
      ask(0)
    }
  }

  private func ask(_ index: Int) {
    asked = index
    let hint = index == 0 ? " (blank: go back)" : ""
    console.ask("\(fields[index].label)\(hint): ", isSecret: true)
  }
}

extension PlainAccountView: ConsoleView {
  var isAsking: Bool { asked != nil }

  func didType(_ line: String) -> Bool {
    guard let asked else { return false }
    guard asked > 0 || !line.isEmpty else {
      listener?.didCancel()
      return true
    }
    listener?.didChange(field: asked, to: line)
    if asked + 1 < fields.count { ask(asked + 1) } else { listener?.didSubmit() }
    return true
  }
}
