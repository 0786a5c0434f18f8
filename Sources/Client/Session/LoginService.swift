import RIBs
import Shared

/// Logs people in with the values of the login form.
protocol LoginService: AnyObject {
  /// The fields of the form, with their first values.
  var fields: [LoginField] { get }
  /// Returns a sentence for each value that cannot be used, and `nil` for each that can.
  func problems(with values: [String]) -> [String?]
  /// Logs in with values that have no problem. A blank name means that the service chooses a name.
  /// `password` is that of the name; `nil` if the form has not asked for one.
  /// `progress` gets each step. `answer` gets the names that the people now
  /// have, or the reason for a refusal. It is called once, unless the login is cancelled or the
  /// service closes first.
  func login(
    with values: [String], password: String?, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable
}

/// How far a login is.
struct LoginProgress: Equatable {
  /// A sentence about the current step.
  let step: String
  /// Why the last attempt has failed, as a sentence; `nil` in the first attempt.
  var failure: String?
}

/// The reason why a login failed, as a sentence for the form.
struct LoginFormError: Error, Equatable {
  let sentence: String
  /// Whether the name needs a password, or another one.
  var needsPassword = false
}

extension PlayerName {
  /// Returns a sentence that says why a name cannot be used; `nil` for a valid name. A blank name
  /// is valid here: the server or the program then chooses a name.
  static func problem(with name: String) -> String? {
    do throws(PlayerNameError) {
      _ = try PlayerName(name)
      return nil
    } catch {
      return error.sentence
    }
  }
}

extension PlayerNameError {
  fileprivate var sentence: String? {
    switch self {
    case .blank: nil
    case .tooLong: "A name may have up to \(ProtocolLimits.maxNameLength) characters."
    case .doubleQuote: "A name may not contain double quotes."
    case .invisible: "A name may contain visible characters only."
    case .bot: "The computer is called \(Player.botName). Choose another name."
    }
  }
}
