import Shared

/// What every directory that keeps accounts answers.
extension CommandError {
  static let numberedName = CommandError(
    .badName, "Player with a number cannot be registered. Log in with another name.")
  /// A password is to be changed without the present one.
  static let oldIsMissing = CommandError(
    .wrongPassword, field: "old",
    "Your name is registered already. To change its password, type: register NEW OLD")
  static let notRegistered = CommandError(
    .wrongPassword, field: "password", "Your name is not registered.")
  static let passwordIsMissing = CommandError(
    .wrongPassword, field: "password",
    "That name is registered. Type: login NAME PASSWORD, or choose another name.")
  /// There is no finished match with an id.
  static let notFinished = CommandError(
    .unknownMatch, field: "match",
    "There is no finished match with that id, or its moves were removed. To see finished games,"
      + " type: history")
  static let damagedMatch = CommandError(
    .unavailable, "The stored lines of this match are damaged. Tell the operator of the server.")

  static func notAvailableNow(retry: Duration) -> CommandError {
    CommandError(.unavailable, "This is not available now. Try again later.", retry: retry)
  }
}

extension PlayerName {
  /// `Player` with a number cannot be registered, because the server gives such names to guests.
  var canBeRegistered: Bool {
    guard key.text.hasPrefix("player") else { return true }
    let rest = key.text.dropFirst(6).filter { !$0.isWhitespace }
    return rest.isEmpty || !rest.allSatisfy(\.isNumber)
  }
}
