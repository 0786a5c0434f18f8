/// The content of the login form, or of the form of an account.
struct LoginForm: Equatable {
  enum State: Equatable {
    case editing
    /// With a sentence about the current step.
    case loggingIn(String)
  }

  var title = "Tic Tac Toe"
  /// What Enter does, as a verb.
  var verb = "play"
  /// A sentence that explains the form; `nil` for none. An alert takes its place.
  var note: String?
  /// Whether Esc closes the form.
  var canClose = false
  var fields: [LoginField]
  var state = State.editing
  /// Why the last login failed; `nil` again after the next change.
  var alert: String?

  /// The values of all fields but the password.
  var values: [String] { fields.filter { $0.kind != .password }.map(\.value) }

  /// The password; `nil` if the form has no field for one.
  var password: String? { passwordField.map { fields[$0].value } }

  /// The index of the field of the password; `nil` if there is none.
  var passwordField: Int? { fields.firstIndex { $0.kind == .password } }

  var canSubmit: Bool { state == .editing && fields.allSatisfy { $0.problem == nil } }

  /// The first field without a value; the first one if all have a value.
  var firstEmptyField: Int { fields.firstIndex { $0.value.isEmpty } ?? 0 }

  /// Returns the form with the problems of its current values.
  func checked(by service: any LoginService) -> LoginForm {
    var form = self
    let checked = fields.indices.filter { fields[$0].kind != .password }
    for (index, problem) in zip(checked, service.problems(with: values)) {
      form.fields[index].problem = problem
    }
    return form
  }

  /// Adds an empty field for the password of the name, or empties the one that there is.
  mutating func askForPassword() {
    removePassword()
    let name = fields.lastIndex { $0.kind == .name } ?? 0
    fields.insert(.password, at: name + 1)
  }

  mutating func removePassword() {
    fields.removeAll { $0.kind == .password }
  }
}

struct LoginField: Equatable {
  enum Kind {
    case name, host, port
    /// Its value is not shown.
    case password
  }

  let kind: Kind
  let label: String
  /// The meaning of a blank value; `nil` if the value must not be blank.
  let blank: String?
  var value: String
  /// Why the value cannot be used, as a sentence; `nil` if it can.
  var problem: String?

  init(_ kind: Kind, label: String, blank: String? = nil, value: String = "") {
    self.kind = kind
    self.label = label
    self.blank = blank
    self.value = value
  }

  static let password = LoginField(.password, label: "Password")
}
