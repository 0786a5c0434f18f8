/// The form, all that there is to be seen of it.
struct LoginForm: Equatable {
  enum Phase: Equatable {
    case editing
    /// With a sentence that says what is waited for.
    case loggingIn(String)
  }

  var fields: [LoginField]
  var phase = Phase.editing
  /// Why the last login failed, until the next change.
  var alert: String?

  var values: [String] { fields.map(\.value) }

  var canSubmit: Bool { phase == .editing && fields.allSatisfy { $0.problem == nil } }
}

/// A field of the form.
struct LoginField: Equatable {
  enum Kind {
    case name, host, port
  }

  let kind: Kind
  let label: String
  /// What a blank value stands for; `nil` where it cannot be blank.
  let blank: String?
  var value: String
  /// A sentence that says why the value cannot be used; `nil` where it can.
  var problem: String?

  init(_ kind: Kind, label: String, blank: String? = nil, value: String = "") {
    self.kind = kind
    self.label = label
    self.blank = blank
    self.value = value
  }
}
