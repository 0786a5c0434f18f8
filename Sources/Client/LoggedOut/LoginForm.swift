/// The content of the login form.
struct LoginForm: Equatable {
  enum State: Equatable {
    case editing
    /// With a sentence about the current step.
    case loggingIn(String)
  }

  var fields: [LoginField]
  var state = State.editing
  /// Why the last login failed; `nil` again after the next change.
  var alert: String?

  var values: [String] { fields.map(\.value) }

  var canSubmit: Bool { state == .editing && fields.allSatisfy { $0.problem == nil } }

  /// The first field without a value; the first one if all have a value.
  var firstEmptyField: Int { fields.firstIndex { $0.value.isEmpty } ?? 0 }

  /// Returns the form with the problems of its current values.
  func checked(by service: any LoginService) -> LoginForm {
    var form = self
    for (index, problem) in service.problems(with: values).enumerated() {
      form.fields[index].problem = problem
    }
    return form
  }
}

/// A field of the login form.
struct LoginField: Equatable {
  enum Kind {
    case name, host, port
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
}
