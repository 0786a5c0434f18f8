import Shared

/// What can be seen here of whether a form makes sense to a server.
enum ServerForm {
  /// The longest name, in Unicode scalars.
  static let longestName = 24

  /// Whether a name may be one; a blank one leaves the choice to the server.
  static func isName(_ value: String) -> Bool {
    let name = value.trimmed
    return name.unicodeScalars.count <= longestName && name.lowercased() != Player.botName
      && name.unicodeScalars.allSatisfy(isAllowed)
  }

  /// The number of a port to connect to; `nil` where it is none.
  static func port(_ value: String) -> UInt16? {
    UInt16(value.trimmed).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: scalar != "\""
    }
  }
}
