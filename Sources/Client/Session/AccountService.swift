import RIBs
import Shared

/// The name that the person has now.
struct NameStatus: Equatable {
  let name: String
  /// Whether the name is the person's own, and needs a password at each login.
  let isRegistered: Bool
}

/// Makes the person's name an account, and gives it up. The Account RIB uses it.
protocol AccountService: AnyObject {
  var nameStatus: Stream<NameStatus> { get }
  /// Sends a value each time that a lost connection is back.
  var returns: Stream<Void> { get }
  /// The password in the file of a script; `nil` without a file.
  var filePassword: String? { get }
  /// Registers the name with a password. For a registered name, `old` is the present password.
  /// `answer` is called once.
  func register(password: String, old: String?, answer: @escaping RequestAnswer<Void>)
  /// Deletes the account; the person keeps the name until the end of the session. `answer` is
  /// called once.
  func unregister(password: String, answer: @escaping RequestAnswer<Void>)
}
