/// One field of a command, as JSON names it and as words order it.
struct FieldSpec: Sendable {
  enum Kind: Sendable {
    case string
    case integer
    /// An integer that is not negative.
    case count
    /// A string of 1 to 200 characters, none of them a control character: in words, the rest of the
    /// line as it is.
    case phrase
    /// One of these strings.
    case choice([JSONName])

    /// Whether words have no end of it but the line's.
    var isRest: Bool {
      if case .phrase = self { true } else { false }
    }
  }

  let name: JSONName
  let kind: Kind
  let isOptional: Bool

  static func required(_ name: JSONName, _ kind: Kind) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isOptional: false)
  }

  static func optional(_ name: JSONName, _ kind: Kind) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isOptional: true)
  }
}
