/// A row of the table of commands: all that the decoder, for JSON and for words, and `help` know of
/// a command.
struct CommandSpec: Sendable {
  let type: CommandType
  let name: JSONName
  /// In the order in which words give them, and in which `CommandDecoder` takes their values.
  let fields: [FieldSpec]
  private let example: String
  private let about: String

  /// The table, in the order of the protocol.
  static let all = CommandType.allCases.map(\.spec)

  fileprivate init(
    _ type: CommandType, _ fields: [FieldSpec] = [], example: String, about: String
  ) {
    self.type = type
    name = JSONName(type.rawValue)
    self.fields = fields
    self.example = example
    self.about = about
  }

  fileprivate var help: HelpEntry {
    let words = fields.map { field in
      let word = field.name.text.uppercased()
      return field.isOptional ? "[\(word)]" : word
    }
    return HelpEntry(
      command: name.text, usage: ([name.text] + words).joined(separator: " "), example: example,
      about: about)
  }
}

extension CommandType {
  /// What `help` answers for this command.
  package var help: HelpEntry { spec.help }

  fileprivate var spec: CommandSpec {
    switch self {
    case .login:
      CommandSpec(
        self, [.optional("name", .string), .optional("password", .string)],
        example: #"{"type":"login","name":"ann"}"#,
        about: "Take a name; without one you get the lowest free Player N.")
    case .resume:
      CommandSpec(
        self, [.required("token", .string), .optional("seq", .count)],
        example: #"{"type":"resume","token":"5qGeU6j-bkV1pVUMLv_c-w","seq":7}"#,
        about: "Go on where your connection was lost, or take your session over from another one;"
          + " with seq, the last event you have, you get only what came after it.")
    case .start:
      CommandSpec(
        self, [.optional("opponent", .string), .optional("game", .string)],
        example: #"{"type":"start","opponent":"bot","game":"tictactoe"}"#,
        about: "Ask for a game: with anyone, with bot, or with the player of that name;"
          + " between games, for the next one.")
    case .cancel:
      CommandSpec(
        self, example: #"{"type":"cancel"}"#,
        about: "Take your start back while you wait for an opponent or for the next game.")
    case .place:
      CommandSpec(
        self, [.required("row", .integer), .required("col", .integer), .optional("seq", .count)],
        example: #"{"type":"place","row":1,"col":1}"#,
        about: "Put your mark on a cell when it is your turn; rows and columns count from 0."
          + " With seq, only if the board has not changed after that event.")
    case .resign:
      CommandSpec(
        self, example: #"{"type":"resign"}"#,
        about: "Lose the running game; the match goes on.")
    case .leave:
      CommandSpec(
        self, example: #"{"type":"leave"}"#,
        about: "Leave the match for the lobby; a running game is lost, unless you only watch.")
    case .say:
      CommandSpec(
        self, [.required("text", .freeText)],
        example: #"{"type":"say","text":"Good game!"}"#,
        about: "Say something to everybody in the match, in 1 to"
          + " \(ProtocolLimits.maxMessageLength) characters.")
    case .watch:
      CommandSpec(
        self, [.required("match", .string)],
        example: #"{"type":"watch","match":"7q2k"}"#,
        about: "Watch a match; to see which there are, list matches.")
    case .list:
      CommandSpec(
        self, [.optional("what", .choice(Listing.allCases.map { JSONName($0.rawValue) }))],
        example: #"{"type":"list","what":"games"}"#,
        about: "See who and what is here: players (when you say nothing), matches or games.")
    case .sync:
      CommandSpec(
        self, [.optional("seq", .count)],
        example: #"{"type":"sync","seq":7}"#,
        about: "Get the events of the match after that one again, or the match as it is now.")
    case .ping:
      CommandSpec(
        self, example: #"{"type":"ping","id":1}"#,
        about: "Get a pong. Like every command it may carry an id, which its answer repeats as re.")
    case .help:
      CommandSpec(
        self, [.optional("command", .choice(CommandType.allCases.map { JSONName($0.rawValue) }))],
        example: #"{"type":"help","command":"place"}"#,
        about: "Read about one command, or about all of them.")
    case .quit:
      CommandSpec(
        self, example: #"{"type":"quit"}"#,
        about: "Say goodbye: leave the match, if you are in one, and close the connection.")
    }
  }
}

/// One field of a command, as JSON names it and as words order it.
struct FieldSpec: Sendable {
  enum Kind: Sendable {
    case string
    case integer
    /// An integer that is not negative.
    case count
    /// A string of 1 to `maxMessageLength` characters, none of them a control character: in words, the rest of the
    /// line as it is.
    case freeText
    /// One of these strings.
    case choice([JSONName])

    /// Whether words have no end of it but the line's.
    var isRest: Bool {
      if case .freeText = self { true } else { false }
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

/// What `help` says of one command.
package struct HelpEntry: Equatable, Sendable {
  package let command: String
  /// The command in words, `place ROW COL [SEQ]`: what stands in brackets may be left out.
  package let usage: String
  /// A line of JSON that is this command.
  package let example: String
  /// A sentence for a person.
  package let about: String

  package init(command: String, usage: String, example: String, about: String) {
    self.command = command
    self.usage = usage
    self.example = example
    self.about = about
  }
}
