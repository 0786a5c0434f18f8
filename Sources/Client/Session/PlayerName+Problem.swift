import Shared

extension PlayerName {
  /// Returns a sentence that says why a name cannot be used. Returns `nil` for a good name, and for a
  /// blank one, for which the server or the program chooses a name.
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
