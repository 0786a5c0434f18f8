import Shared

/// What the fields of the operator's commands mean. `tictactoe-server admin` reads them before it
/// connects, and the server when it carries out the command.
enum AdminArguments {
  /// The longest ban that ends.
  private static let maxTerm: Duration = .seconds(3_650 * 86_400)

  /// - Throws: `badField` or `badName`.
  static func ban(
    _ line: LineDecoder
  ) throws(CommandError) -> (subject: BanSubject, time: Duration?) {
    let subject = try BanSubject(line.requiredString(0))
    if case .name(let name) = subject, !name.canBeRegistered {
      throw CommandError(
        .badName, field: "target",
        "The server gives the name \(name.text) to guests. Ban the address instead.")
    }
    return (subject, try term(line.string(1)))
  }

  /// - Throws: `badField`, `badName`, or `missingField` for a name that others may get.
  static func mute(
    _ line: LineDecoder
  ) throws(CommandError) -> (name: PlayerName, time: Duration?) {
    let name = try mutedName(line)
    let time = try term(line.string(1))
    guard time != nil || name.canBeRegistered else {
      throw CommandError(
        .missingField, field: "for",
        "Another guest may get the name \(name.text) later. Name a time, such as:"
          + " mute \"\(name.text)\" 1h")
    }
    return (name, time)
  }

  /// Returns the name of a player whom a command means, and not an address.
  ///
  /// - Throws: `badField` or `badName`.
  static func mutedName(_ line: LineDecoder) throws(CommandError) -> PlayerName {
    let text = line.requiredString(0)
    guard case .name(let name) = try BanSubject(text, field: "name") else {
      throw CommandError(
        .badField, field: "name",
        "“\(text)” is an address, and this holds for a name. To keep the address out, type:"
          + " ban \(text)")
    }
    return name
  }

  /// Returns a name, which may look like an address.
  ///
  /// - Throws: `badName`.
  static func name(_ line: LineDecoder) throws(CommandError) -> PlayerName {
    try BanSubject.name(line.requiredString(0), field: "name")
  }

  /// - Throws: `badField` or `badName`.
  static func subject(_ line: LineDecoder) throws(CommandError) -> BanSubject {
    try BanSubject(line.requiredString(0))
  }

  /// Returns the name of a node.
  ///
  /// - Throws: `badField`.
  static func node(_ line: LineDecoder) throws(CommandError) -> String {
    let text = line.requiredString(1)
    guard Life.isNodeName(text) else {
      throw CommandError(.badField, field: "node", "“\(text)” is not the name of a node.")
    }
    return text
  }

  /// Returns to which nodes players are to go, and how many to each; `nil` without a text.
  ///
  /// - Throws: `badField`.
  static func plan(
    _ line: LineDecoder
  ) throws(CommandError) -> [(node: String, players: Int)]? {
    guard let text = line.string(0) else { return nil }
    var plan: [(node: String, players: Int)] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, Life.isNodeName(String(words[0])), let count = Int(words[1]),
        count >= 0
      else {
        throw CommandError(
          .badField, field: "plan", "“\(text)” is not a plan such as b=20,c=4.")
      }
      plan.append((String(words[0]), count))
    }
    return plan
  }

  /// Returns the time of `drain`; `nil` for that of the options.
  ///
  /// - Throws: `badField`.
  static func time(_ line: LineDecoder) throws(CommandError) -> Duration? {
    try line.string(0).map { text throws(CommandError) in try time(text, field: "time") }
  }

  private static func time(_ text: String, field: String) throws(CommandError) -> Duration {
    guard let time = ArgumentReader.duration(text), time <= maxTerm else {
      throw CommandError(
        .badField, field: field,
        "“\(text)” is not a time of up to ten years, such as 30m, 12h or 7d.")
    }
    return time
  }

  /// Returns the time of a ban or mute; `nil` for ever.
  private static func term(_ text: String?) throws(CommandError) -> Duration? {
    guard let text else { return nil }
    let time = try time(text, field: "for")
    guard time > .zero else {
      throw CommandError(
        .badField, field: "for", "For ever is without a time. 0 is no time at all.")
    }
    return time
  }
}
