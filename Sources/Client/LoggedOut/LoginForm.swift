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
