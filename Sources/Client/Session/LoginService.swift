import Shared

/// Logs people in with the values of the login form.
protocol LoginService: AnyObject {
  /// The fields of the form, with their first values.
  var fields: [LoginField] { get }
  /// Returns a sentence for each value that cannot be used, and `nil` for each that can.
  func problems(with values: [String]) -> [String?]
  /// Logs in with values that have no problem. A blank name means that the service chooses one.
  /// `progress` gets sentences about the step under way. `answer` gets the names that the people now
  /// have, or the reason of a refusal. It is called once, unless the login is cancelled or the
  /// service closes first.
  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable
}

/// Why a login failed, as a sentence for the form.
struct LoginFormError: Error, Equatable {
  let sentence: String
}
