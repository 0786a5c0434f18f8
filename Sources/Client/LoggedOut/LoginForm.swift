/// Everything that the login form shows.
struct LoginForm: Equatable {
  enum Phase: Equatable {
    case editing
    /// The sentence names the step under way.
    case loggingIn(String)
  }

  var fields: [LoginField]
  var phase = Phase.editing
  /// Why the last login failed; `nil` again after the next change.
  var alert: String?

  var values: [String] { fields.map(\.value) }

  var canSubmit: Bool { phase == .editing && fields.allSatisfy { $0.problem == nil } }
}

/// A field of the login form.
struct LoginField: Equatable {
  enum Kind {
    case name, host, port
  }

  let kind: Kind
  let label: String
  /// What a blank value means; `nil` if the value must not be blank.
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
