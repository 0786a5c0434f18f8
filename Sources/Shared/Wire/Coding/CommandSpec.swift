/// The grammar of one command, for the decoder and for `help`.
package struct CommandSpec: Sendable {
  let name: JSONName
  /// In the order of the words, which is also that of the decoder's values.
  package let fields: [FieldSpec]
  private let example: String
  private let about: String

  /// All commands of the game, in the order of the protocol.
  static let all = CommandType.allCases.map(\.spec)

  /// A command in words only.
  static let board = CommandSpec(
    "board", example: #"{"type":"sync"}"#, about: "Show the board of the match as text.")

  package init(
    _ name: String, _ fields: [FieldSpec] = [], example: String, about: String
  ) {
    self.name = JSONName(name)
    self.fields = fields
    self.example = example
    self.about = about
  }

  /// The reply to `help` for this command.
  package var help: HelpEntry {
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
  /// The reply to `help` for this command.
  package var help: HelpEntry { spec.help }

  /// The message for a value of a field that is not allowed.
  package func badField(_ name: String) -> LineError? {
    spec.fields.first { $0.name.text == name }?.bad(in: spec, id: nil)
  }

  fileprivate var spec: CommandSpec {
    switch self {
    case .login:
      CommandSpec(
        rawValue, [.optional("name", .string), .optional("password", .string)],
        example: #"{"type":"login","name":"ann"}"#,
        about: "Log in with a name. Without a name you get the lowest free Player N."
          + " A registered name needs its password.")
    case .register:
      CommandSpec(
        rawValue, [.required("password", .password), .optional("old", .password)],
        example: #"{"type":"register","password":"correct horse"}"#,
        about:
          "Make your name your own: from now on it needs this password. To change the password,"
          + " add the old one.")
    case .unregister:
      CommandSpec(
        rawValue, [.required("password", .password)],
        example: #"{"type":"unregister","password":"correct horse"}"#,
        about: "Give your name up. Your account and your ratings are deleted.")
    case .resume:
      CommandSpec(
        rawValue, [.required("token", .string), .optional("seq", .count)],
        example: #"{"type":"resume","token":"5qGeU6j-bkV1pVUMLv_c-w","seq":7}"#,
        about: "Continue after a lost connection, or take your session over from another one."
          + " With seq, the last event you have, you get only the events after it.")
    case .start:
      CommandSpec(
        rawValue,
        [
          .optional("opponent", .string), .optional("game", .string),
          .optional("level", .choice(BotLevel.allCases.map { JSONName($0.rawValue) })),
        ],
        example: #"{"type":"start","opponent":"bot","game":"tictactoe","level":"easy"}"#,
        about: "Ask for a game: with anyone, with bot, or with the player of that name."
          + " level is for bot only. Between games, ask for the next one.")
    case .open:
      CommandSpec(
        rawValue, [.optional("game", .string)],
        example: #"{"type":"open","game":"gomoku"}"#,
        about: "Wait for a friend. The reply has a code: the friend plays with you by join CODE.")
    case .join:
      CommandSpec(
        rawValue, [.required("code", .string)],
        example: #"{"type":"join","code":"k7w2mx"}"#,
        about: "Play with the friend who has opened that code.")
    case .cancel:
      CommandSpec(
        rawValue, example: #"{"type":"cancel"}"#,
        about: "Cancel your start or open while you wait for an opponent or for the next game.")
    case .decline:
      CommandSpec(
        rawValue, [.optional("opponent", .string)],
        example: #"{"type":"decline","opponent":"bob"}"#,
        about: "Refuse the invitation of a player. Without a name, the only one."
          + " Between games, refuse the next game.")
    case .place:
      CommandSpec(
        rawValue,
        [.required("row", .row), .required("col", .integer), .optional("seq", .count)],
        example: #"{"type":"place","row":1,"col":1}"#,
        about: "Put your mark on a cell when it is your turn. Rows and columns count from 0."
          + " With seq, only if the board has not changed after that event."
          + " In words also by the column's letter and the row's number, which counts from 1:"
          + " place b2.")
    case .resign:
      CommandSpec(
        rawValue, example: #"{"type":"resign"}"#,
        about: "Give up the running game. The match continues.")
    case .leave:
      CommandSpec(
        rawValue, example: #"{"type":"leave"}"#,
        about: "Leave the match for the lobby. You lose a running game, unless you only watch it.")
    case .say:
      CommandSpec(
        rawValue, [.required("text", .freeText)],
        example: #"{"type":"say","text":"Good game!"}"#,
        about: "Send everyone in the match a text of 1 to"
          + " \(ProtocolLimits.maxMessageLength) characters.")
    case .watch:
      CommandSpec(
        rawValue, [.required("match", .string)],
        example: #"{"type":"watch","match":"7q2k"}"#,
        about: "Watch a match. To see all matches, use list matches.")
    case .list:
      CommandSpec(
        rawValue, [.optional("what", .choice(Listing.allCases.map { JSONName($0.rawValue) }))],
        example: #"{"type":"list","what":"games"}"#,
        about: "List the players (the default), the matches or the games.")
    case .history:
      CommandSpec(
        rawValue, [.optional("player", .string), .optional("before", .count)],
        example: #"{"type":"history","player":"ann"}"#,
        about: "Read the results of a player's games, the latest first, or those of all games."
          + " With before, only games with a smaller id.")
    case .leaderboard:
      CommandSpec(
        rawValue, [.optional("game", .string)],
        example: #"{"type":"leaderboard","game":"gomoku"}"#,
        about: "List the best registered players of a game.")
    case .replay:
      CommandSpec(
        rawValue, [.required("match", .string), .optional("seq", .count)],
        example: #"{"type":"replay","match":"7q2k"}"#,
        about: "Get all events of a match that is over. With seq, only those after it.")
    case .sync:
      CommandSpec(
        rawValue, [.optional("seq", .count)],
        example: #"{"type":"sync","seq":7}"#,
        about: "With seq, get the events of the match after it again."
          + " Without seq, get the whole state of the match."
          + " The word board shows just the board, as text.")
    case .ping:
      CommandSpec(
        rawValue, example: #"{"type":"ping","id":1}"#,
        about: "Get a pong. Like any command it may have an id, which the reply repeats as re.")
    case .help:
      CommandSpec(
        rawValue,
        [.optional("command", .choice(HelpTopic.allCases.map { JSONName($0.name) }))],
        example: #"{"type":"help","command":"place"}"#,
        about: "Read about one command, or about all commands.")
    case .quit:
      CommandSpec(
        rawValue, example: #"{"type":"quit"}"#,
        about: "Leave the match, if you are in one, and close the connection.")
    }
  }
}

/// What `help` explains: a command, or the word `board`.
package enum HelpTopic: Equatable, Sendable, CaseIterable {
  case command(CommandType)
  case board

  package static let allCases = CommandType.allCases.map(HelpTopic.command) + [.board]

  var name: String {
    switch self {
    case .command(let type): type.rawValue
    case .board: CommandSpec.board.name.text
    }
  }

  package var help: HelpEntry {
    switch self {
    case .command(let type): type.help
    case .board: CommandSpec.board.help
    }
  }
}

/// One field of a command.
package struct FieldSpec: Sendable {
  package enum Kind: Sendable {
    case string
    case integer
    /// The same. In words, a cell such as `b2` is this field and the next one.
    case row
    /// An integer that is not negative.
    case count
    /// A string of 1 to `maxMessageLength` characters, none of them a control character. In words
    /// it is the rest of the line.
    case freeText
    /// A string that `isPassword` allows.
    case password
    /// One of these strings.
    case choice([JSONName])

    /// Whether the field takes the rest of a line in words.
    package var isRest: Bool {
      if case .freeText = self { true } else { false }
    }

    /// The requirement for a value of this kind, as the end of a sentence.
    var requirement: String {
      switch self {
      case .string: "must be a string, with double quotes only around it"
      case .integer, .row: "must be a whole number"
      case .count: "must be a whole number, at least 0"
      case .freeText:
        "must have 1 to \(ProtocolLimits.maxMessageLength) characters, none of them a control"
          + " character"
      case .password:
        "must have \(ProtocolLimits.passwordLength.lowerBound) to"
          + " \(ProtocolLimits.passwordLength.upperBound) characters, none of them a control"
          + " character"
      case .choice(let names): "must be one of: \(names.map(\.text).joined(separator: ", "))"
      }
    }
  }

  package let name: JSONName
  package let kind: Kind
  package let isOptional: Bool

  /// The error for a line of a command in which this field is missing. In words, a field before it
  /// may have the wrong word.
  func missing(
    in command: CommandSpec, id: RequestID?, hint: String? = nil, after bad: FieldSpec? = nil,
    _ word: String? = nil
  ) -> LineError {
    let sentence = bad.map { "\($0.sentence(for: word)) " } ?? ""
    // A cell would have been this field too.
    let isMeant = if case .row? = bad?.kind { true } else { false }
    return LineError(
      .missingField, field: name.text, id: id,
      message: sentence + (isMeant ? "" : "\(name.text) is missing. ")
        + "Type: help \(command.name.text)", hint: hint)
  }

  /// The error for a line of a command in which this field has a value that is not allowed. `word`
  /// is that value of a line in words.
  func bad(
    in command: CommandSpec, id: RequestID?, hint: String? = nil, word: String? = nil
  ) -> LineError {
    LineError(
      .badField, field: name.text, id: id,
      // The requirement for the field of `help` already lists all commands.
      message: sentence(for: word)
        + (command.name.text == "help" ? "" : " Type: help \(command.name.text)"), hint: hint)
  }

  /// Says what is allowed. Repeats a word that is not, unless it can be a secret or a long text.
  private func sentence(for word: String?) -> String {
    let requirement = "\(name.text) \(kind.requirement)"
    guard let word, let quoted = word.quoted else { return "\(requirement)." }
    switch kind {
    case .string, .freeText, .password: return "\(requirement)."
    case .row: return "\(requirement), or a cell such as b2, not \(quoted)."
    case .integer, .count: return "\(requirement), not \(quoted)."
    case .choice(let names):
      let likely = word.likely(among: names.map(\.text)).map { " Did you mean \($0)?" } ?? ""
      return "\(requirement), not \(quoted).\(likely)"
    }
  }

  package static func required(_ name: JSONName, _ kind: Kind) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isOptional: false)
  }

  package static func optional(_ name: JSONName, _ kind: Kind) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isOptional: true)
  }
}

/// The reply to `help` for one command.
package struct HelpEntry: Equatable, Sendable {
  package let command: String
  /// The command in words, `place ROW COL [SEQ]`. Brackets mark optional words.
  package let usage: String
  /// A line of JSON that is this command.
  package let example: String
  /// A sentence for a person.
  package let about: String
}
