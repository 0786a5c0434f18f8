import Shared

/// How often the password of an account works. One that the operator has set works until its player
/// quits; for the next log-in the player needs a password of their own.
enum PasswordUse: String, Sendable {
  case always
  /// Its player has not quit yet.
  case once
  /// Its player has quit. It still counts as the old one when the player chooses another.
  case spent

  /// What stands before the hash of a password, where it is stored. A server that does not know it
  /// takes every password for a wrong one.
  fileprivate var prefix: String { self == .always ? "" : "\(rawValue):" }
}

extension Account {
  var passwordUse: PasswordUse {
    [.once, .spent].first { password.hasPrefix($0.prefix) } ?? .always
  }

  /// The hash alone.
  var hash: String { String(password.dropFirst(passwordUse.prefix.utf8.count)) }

  /// The password as it is stored after its player has quit.
  var spentPassword: String { PasswordUse.spent.prefix + hash }

  /// Returns how a password that works once is stored.
  static func oneTimePassword(hash: String) -> String { PasswordUse.once.prefix + hash }
}

extension PasswordCheck {
  /// The result for an account whose password was right or not.
  init(of account: Account?, isRight: Bool) {
    let isSpent = isRight && account?.passwordUse == .spent
    self.init(
      account: isRight && !isSpent ? account : nil, refusal: isSpent ? .passwordIsSpent : nil)
  }
}

extension CommandError {
  static let passwordIsSpent = CommandError(
    .wrongPassword, field: "password",
    "That password worked only once, and was used. Ask the operator of the server for another one."
  )
}
