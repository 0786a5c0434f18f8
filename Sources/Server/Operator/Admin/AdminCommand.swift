import Shared

/// The operator's commands, in the order of their help. To add one, add a case and its row here,
/// and carry it out in `AdminCommands`.
enum AdminCommand: String, CaseIterable {
  case status, players, matches, accounts, account, password, forget, kick, ban, unban, bans
  case mute, unmute, announce, motd, drain, endDrain = "resume", reload, compact, log, tree, metrics
  case cluster, move, rebalance, all, help, quit

  /// The levels of `log`; `nil` is `off`.
  static let levels: [Log.Level?] = [nil] + Log.Level.allCases
  static let levelNames = levels.map { level in level.map { "\($0)" } ?? "off" }

  var spec: CommandSpec { row.spec }
  /// Whether it changes nothing, and shows nothing of people but what the lists have.
  var isReading: Bool { row.kinds.contains(.reading) }
  /// Whether `all` carries it out at all nodes of a cluster.
  var isForAll: Bool { row.kinds.contains(.forAll) }
  /// Whether it changes what outlives the server.
  var isKept: Bool { row.kinds.contains(.kept) }
  /// How long the server may take to carry it out. In a large archive some take minutes.
  var timeout: Duration { row.kinds.contains(.slow) ? .seconds(3_600) : .seconds(10) }

  /// The first sentence of the help, for a list.
  var summary: String {
    let about = spec.help.about
    return about.firstIndex(of: ".").map { String(about[...$0]) } ?? about
  }

  /// Reads all fields of a command. `tictactoe-server admin` does it before it connects.
  ///
  /// - Throws: what is wrong with one of them.
  func check(_ line: LineDecoder) throws(CommandError) { try row.check(line) }
}

extension AdminCommand {
  private enum Kind { case reading, forAll, kept, slow }

  private struct Row {
    let spec: CommandSpec
    let kinds: Set<Kind>
    let check: (LineDecoder) throws(CommandError) -> Void
  }

  private var row: Row {
    switch self {
    case .status:
      row(
        .reading, .forAll,
        about: "Show the version, the load, the store, and whether the server drains.")
    case .players:
      row(
        .reading, .forAll,
        about: "List who is logged in, with the address and the place of each player.")
    case .matches: row(.reading, .forAll, about: "List the matches that go on.")
    case .accounts:
      row(
        fields: [.optional("pattern", .string)], #""pattern":"an*""#,
        about: "List accounts. PATTERN is a part of the name, or has * for any text.")
    case .account:
      row(
        fields: [.required("name", .string)], #""name":"ann""#,
        about: "Show what is stored of an account.", check: AdminArguments.name)
    case .password:
      row(
        fields: [.required("name", .string)], #""name":"ann""#,
        about: "Give an account a password that works once. It is shown here only.",
        check: AdminArguments.name)
    case .forget:
      row(
        .slow, fields: [.required("name", .string)], #""name":"ann""#,
        about: "Delete an account, and take the name out of all games."
          + " docs/accounts.md says what remains.", check: AdminArguments.name)
    case .kick:
      row(
        fields: [.required("name", .string), .optional("reason", .freeText)],
        #""name":"ann","reason":"Be nice.""#,
        about: "Disconnect a player, who leaves the match, and may log in again.",
        check: AdminArguments.name)
    case .ban:
      row(
        .kept, fields: [.required("target", .string), .optional("for", .string)],
        #""target":"192.0.2.0/24","for":"7d""#,
        about: "Keep out an address, a network or a name: for 30m, 12h or 7d, or for ever."
          + " An IPv6 address stands for its /64. A name that looks like an address is name:TEXT.",
        check: AdminArguments.ban)
    case .unban:
      row(
        .kept, fields: [.required("target", .string)], #""target":"192.0.2.0/24""#,
        about: "End a ban.", check: AdminArguments.subject)
    case .bans: row(.reading, about: "List the bans and the mutes, and when they end.")
    case .mute:
      row(
        .kept, fields: [.required("name", .string), .optional("for", .string)],
        #""name":"ann","for":"1h""#, about: "Refuse the chat of a player.",
        check: AdminArguments.mute)
    case .unmute:
      row(
        .kept, fields: [.required("name", .string)], #""name":"ann""#,
        about: "Let a player chat again.", check: AdminArguments.mutedName)
    case .announce:
      row(
        fields: [.required("text", .freeText)], #""text":"The tournament begins.""#,
        about: "Send a text to everybody who is logged in.")
    case .motd:
      row(
        .kept, fields: [.optional("text", .freeText)], #""text":"Welcome!""#,
        about: "Show or set the greeting: TEXT, none, or default for that of the configuration.")
    case .drain:
      row(
        .forAll, fields: [.optional("time", .string)], #""time":"10m""#,
        about: "Begin no more games, and stop when the last one has ended, or after a time.",
        check: AdminArguments.time)
    case .endDrain: row(.forAll, about: "Take drain back: games begin again.")
    case .reload: row(.forAll, about: "Read the configuration file again, as on SIGHUP.")
    case .compact: row(.slow, about: "Write the archive again without free pages. Games go on.")
    case .log:
      row(
        .forAll, fields: [.required("level", .choice(Self.levelNames.map { JSONName($0) }))],
        #""level":"debug""#,
        about: "Set the level of the log: \(Self.levelNames.joined(separator: ", ")).")
    case .tree:
      row(.reading, about: "Show the live tree and the counters, as SIGUSR1 logs them.")
    case .metrics: row(.reading, about: "Show what /metrics serves to Prometheus.")
    case .cluster:
      row(.reading, about: "Show the nodes of the cluster, its engine and the replicas.")
    case .move:
      row(
        fields: [.required("match", .string), .required("node", .string)],
        #""match":"1-7","node":"b""#,
        about: "Move a match to another node of the cluster while it goes on.",
        check: AdminArguments.node)
    case .rebalance:
      row(
        fields: [.optional("plan", .string)],
        about: "Move matches until all nodes have the same number of players, and draining nodes"
          + " none. PLAN b=20,c=4 moves 20 players of this node to b, and 4 to c.",
        check: AdminArguments.plan)
    case .all:
      row(
        .reading, fields: [.required("command", .freeText)], #""command":"drain 10m""#,
        about: "Carry out one of these at all nodes of the cluster: \(Self.namesForAll).")
    case .help:
      row(
        .reading,
        fields: [
          .optional("command", .choice(AdminCommand.allCases.map { JSONName($0.rawValue) }))
        ],
        about: "List the commands.")
    case .quit: row(.reading, about: "Close this connection.")
    }
  }

  /// The names of those that `all` carries out.
  static var namesForAll: String {
    allCases.filter { $0 != .all && $0.isForAll }.map(\.rawValue).joined(separator: ", ")
  }

  /// `example` has the fields of the example, as JSON.
  private func row(
    _ kinds: Kind..., fields: [FieldSpec] = [], _ example: String = "", about: String
  ) -> Row {
    row(kinds, fields, example, about) { _ in }
  }

  /// `check` reads the fields.
  private func row<Value>(
    _ kinds: Kind..., fields: [FieldSpec], _ example: String = "", about: String,
    check: @escaping (LineDecoder) throws(CommandError) -> Value
  ) -> Row {
    row(kinds, fields, example, about) { line throws(CommandError) in _ = try check(line) }
  }

  private func row(
    _ kinds: [Kind], _ fields: [FieldSpec], _ example: String, _ about: String,
    check: @escaping (LineDecoder) throws(CommandError) -> Void
  ) -> Row {
    let example = #"{"type":"\#(rawValue)"\#(example.isEmpty ? "" : ",")\#(example)}"#
    return Row(
      spec: CommandSpec(rawValue, fields, example: example, about: about), kinds: Set(kinds),
      check: check)
  }
}

extension LineDecoder {
  /// Decodes the lines of operators.
  static var forAdmin: LineDecoder { LineDecoder(AdminCommand.allCases.map(\.spec)) }
}
