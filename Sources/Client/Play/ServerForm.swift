import Shared

/// What can be seen here of whether a form makes sense to a server.
enum ServerForm {
  /// The longest name, in Unicode scalars.
  static let longestName = ProtocolLimits.maxNameLength

  /// Why a name cannot be one, as a sentence; `nil` where it may. A blank one leaves the choice to the
  /// server.
  static func problem(ofName value: String) -> String? {
    let name = value.trimmed
    if name.lowercased() == Player.botName {
      return "The computer is called \(Player.botName); choose another name."
    }
    if name.contains("\"") { return "A name has no double quotes." }
    if !name.unicodeScalars.allSatisfy(isVisible) { return "A name has visible characters only." }
    let isTooLong = name.unicodeScalars.count > longestName
    return isTooLong ? "A name has at most \(longestName) characters." : nil
  }

  /// The number of a port to connect to; `nil` where it is none.
  static func port(_ value: String) -> UInt16? {
    UInt16(value.trimmed).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
