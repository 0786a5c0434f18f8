import Shared

extension PlayerName {
  /// Returns why nobody may have a name that was typed, as a sentence; `nil` for a good name, and for
  /// a blank one, which leaves the choice to the program.
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
    case .tooLong: "A name has at most \(ProtocolLimits.maxNameLength) characters."
    case .doubleQuote: "A name has no double quotes."
    case .invisible: "A name has visible characters only."
    case .bot: "The computer is called \(Player.botName); choose another name."
    }
  }
}
