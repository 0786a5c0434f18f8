import Shared

/// The login form in plain lines. It asks only for the names, one after another, and for the
/// password of a name that needs one: the server comes from the command line.
final class PlainLoggedOutView: LoggedOutViewControllable {
  weak var listener: (any LoggedOutPresentableListener)?
  private let console: Console
  /// The fields to ask for, with their indices in the form.
  private var names: [(index: Int, prompt: String)] = []
  /// The index of the password in the form; `nil` if the name needs none.
  private var passwordField: Int?
  /// The number of fields that are filled in; `nil` while the view asks for none.
  private var answered: Int?
  /// Why the login that goes on has failed so far.
  private var failure: String?

  init(console: Console) {
    self.console = console
  }

  func show(_ form: LoginForm) {
    names = form.fields.enumerated().filter { $0.element.kind == .name }.map {
      ($0.offset, $0.element.prompt)
    }
    passwordField = form.passwordField
    guard form.state == .editing else {
      answered = nil
      return say(form.alert)
    }
    failure = nil
    if let alert = form.alert { console.say(alert) }
    guard form.alert != nil || answered == nil else { return }
    // Names from the command line are not asked for, unless the login has failed.
    let first = form.alert == nil ? names.firstIndex { $0.index == form.firstEmptyField } : nil
    ask(passwordField == nil ? first ?? 0 : names.count)
  }

  /// Says once why a login that goes on has failed so far.
  private func say(_ failure: String?) {
    defer { self.failure = failure }
    guard let failure, failure != self.failure else { return }
    console.say("\(failure) Trying again … To stop, type: quit")
  }

  private func ask(_ number: Int) {
    answered = number
    if names.indices.contains(number) {
      console.ask(names[number].prompt)
    } else {
      console.ask("Password (blank: choose another name): ", isSecret: true)
    }
  }

  /// A blank password means another name.
  private func didType(password: String, in field: Int) {
    guard password.isEmpty else {
      listener?.didChange(field: field, to: password)
      listener?.didSubmit()
      return
    }
    answered = nil
    for name in names { listener?.didChange(field: name.index, to: "") }
  }
}

extension LoginField {
  fileprivate var prompt: String {
    label + (blank.map { " (blank: \($0))" } ?? "") + ": "
  }
}

extension PlainLoggedOutView: ConsoleView {
  static let help =
    "Type the name that others will see, or nothing. To end the program, type: quit (or exit, q)"

  func didType(_ line: String) -> Bool {
    let name = line.trimmed
    if TypedLine(line).onlyCommand == "help" {
      console.say(Self.help)
      if let answered { ask(answered) }
    } else if answered == names.count, let passwordField {
      didType(password: line, in: passwordField)
    } else if let answered {
      listener?.didChange(field: names[answered].index, to: name)
      if answered + 1 < names.count { ask(answered + 1) } else { listener?.didSubmit() }
    }
    return true
  }
}
