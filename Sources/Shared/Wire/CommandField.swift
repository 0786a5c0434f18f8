/// One field of a command, as JSON names it and as words order it.
struct CommandField: Sendable {
  enum Kind: Sendable {
    case string
    case integer
    /// An integer that is not negative.
    case count
    /// One of these strings.
    case choice([JSONName])
  }

  let name: JSONName
  let kind: Kind
  let isOptional: Bool

  static func required(_ name: JSONName, _ kind: Kind) -> CommandField {
    CommandField(name: name, kind: kind, isOptional: false)
  }

  static func optional(_ name: JSONName, _ kind: Kind) -> CommandField {
    CommandField(name: name, kind: kind, isOptional: true)
  }
}
