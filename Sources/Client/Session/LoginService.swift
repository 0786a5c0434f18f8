import Shared

/// Where the form is sent.
protocol LoginService: AnyObject {
  /// What is to be filled in, with what stands there at first.
  var fields: [LoginField] { get }
  /// For the value of each field a sentence that says why it cannot be used, or `nil`.
  func problems(with values: [String]) -> [String?]
  /// Logs in with values that have no problem; a blank name is chosen for the person. `progress`
  /// is told in sentences what is waited for. The answer is the names as they are now known, or a
  /// sentence that says why not; it comes once, unless play closes before, or it is cancelled.
  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginRefusal>) -> Void
  ) -> any Cancellable
}

/// Why a login was refused, as a sentence for a person.
struct LoginRefusal: Error, Equatable {
  let sentence: String
}
