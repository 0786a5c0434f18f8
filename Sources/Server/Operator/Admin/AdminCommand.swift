import Shared

/// The operator's commands, in the order of their help. To add one, add a case and its spec here,
/// and carry it out in `AdminCommands`.
enum AdminCommand: String, CaseIterable {
  case status, players, matches, accounts, account, password, forget, kick, ban, unban, bans
  case mute, unmute, announce, motd, drain, endDrain = "resume", reload, compact, log, tree, metrics
  case cluster, move, rebalance, all, help, quit

  /// The levels of `log`; `nil` is `off`.
  static let levels: [Log.Level?] = [nil] + Log.Level.allCases
  static let levelNames = levels.map { level in level.map { "\($0)" } ?? "off" }

  /// The first sentence of the help, for a list.
  var summary: String {
    let about = spec.help.about
    return about.firstIndex(of: ".").map { String(about[...$0]) } ?? about
  }

  /// How long the server may take to carry it out. In a large archive some take minutes.
  var timeout: Duration {
    switch self {
    case .forget, .compact: .seconds(3_600)
    default: .seconds(10)
    }
  }

  /// Whether `all` carries it out at all nodes of a cluster.
  var isForAll: Bool {
    switch self {
    case .status, .players, .matches, .drain, .endDrain, .reload, .log: true
    case .accounts, .account, .password, .forget, .kick, .ban, .unban, .bans, .mute, .unmute,
      .announce, .motd, .compact, .tree, .metrics, .cluster, .move, .rebalance, .all, .help, .quit:
      false
    }
  }

  var spec: CommandSpec {
    switch self {
    case .status:
      CommandSpec(
        rawValue, example: #"{"type":"status"}"#,
        about: "Show the version, the load, the store, and whether the server drains.")
    case .players:
      CommandSpec(
        rawValue, example: #"{"type":"players"}"#,
        about: "List who is logged in, with the address and the place of each player.")
    case .matches:
      CommandSpec(
        rawValue, example: #"{"type":"matches"}"#, about: "List the matches that go on.")
    case .accounts:
      CommandSpec(
        rawValue, [.optional("pattern", .string)],
        example: #"{"type":"accounts","pattern":"an*"}"#,
        about: "List accounts. PATTERN is a part of the name, or has * for any text.")
    case .account:
      CommandSpec(
        rawValue, [.required("name", .string)], example: #"{"type":"account","name":"ann"}"#,
        about: "Show what is stored of an account.")
    case .password:
      CommandSpec(
        rawValue, [.required("name", .string)], example: #"{"type":"password","name":"ann"}"#,
        about: "Give an account a password that works once. It is shown here only.")
    case .forget:
      CommandSpec(
        rawValue, [.required("name", .string)], example: #"{"type":"forget","name":"ann"}"#,
        about: "Delete an account, and take the name out of all games."
          + " docs/accounts.md says what remains.")
    case .kick:
      CommandSpec(
        rawValue, [.required("name", .string), .optional("reason", .freeText)],
        example: #"{"type":"kick","name":"ann","reason":"Be nice."}"#,
        about: "Disconnect a player, who leaves the match, and may log in again.")
    case .ban:
      CommandSpec(
        rawValue, [.required("target", .string), .optional("for", .string)],
        example: #"{"type":"ban","target":"192.0.2.0/24","for":"7d"}"#,
        about: "Keep out an address, a network or a name: for 30m, 12h or 7d, or for ever."
          + " An IPv6 address stands for its /64. A name that looks like an address is name:TEXT.")
    case .unban:
      CommandSpec(
        rawValue, [.required("target", .string)],
        example: #"{"type":"unban","target":"192.0.2.0/24"}"#, about: "End a ban.")
    case .bans:
      CommandSpec(
        rawValue, example: #"{"type":"bans"}"#,
        about: "List the bans and the mutes, and when they end.")
    case .mute:
      CommandSpec(
        rawValue, [.required("name", .string), .optional("for", .string)],
        example: #"{"type":"mute","name":"ann","for":"1h"}"#,
        about: "Refuse the chat of a player.")
    case .unmute:
      CommandSpec(
        rawValue, [.required("name", .string)], example: #"{"type":"unmute","name":"ann"}"#,
        about: "Let a player chat again.")
    case .announce:
      CommandSpec(
        rawValue, [.required("text", .freeText)],
        example: #"{"type":"announce","text":"The tournament begins."}"#,
        about: "Send a text to everybody who is logged in.")
    case .motd:
      CommandSpec(
        rawValue, [.optional("text", .freeText)],
        example: #"{"type":"motd","text":"Welcome!"}"#,
        about: "Greet everybody who logs in. Without a text nobody is greeted.")
    case .drain:
      CommandSpec(
        rawValue, [.optional("time", .string)], example: #"{"type":"drain","time":"10m"}"#,
        about: "Begin no more games, and stop when the last one has ended, or after a time.")
    case .endDrain:
      CommandSpec(
        rawValue, example: #"{"type":"resume"}"#, about: "Take drain back: games begin again.")
    case .reload:
      CommandSpec(
        rawValue, example: #"{"type":"reload"}"#,
        about: "Read the configuration file again, as on SIGHUP.")
    case .compact:
      CommandSpec(
        rawValue, example: #"{"type":"compact"}"#,
        about: "Write the archive again without free pages. Games go on.")
    case .log:
      CommandSpec(
        rawValue, [.required("level", .choice(Self.levelNames.map { JSONName($0) }))],
        example: #"{"type":"log","level":"debug"}"#,
        about: "Set the level of the log: \(Self.levelNames.joined(separator: ", ")).")
    case .tree:
      CommandSpec(
        rawValue, example: #"{"type":"tree"}"#,
        about: "Show the live tree and the counters, as SIGUSR1 logs them.")
    case .metrics:
      CommandSpec(
        rawValue, example: #"{"type":"metrics"}"#,
        about: "Show what /metrics serves to Prometheus.")
    case .cluster:
      CommandSpec(
        rawValue, example: #"{"type":"cluster"}"#,
        about: "Show the nodes of the cluster, its engine and the replicas.")
    case .move:
      CommandSpec(
        rawValue, [.required("match", .string), .required("node", .string)],
        example: #"{"type":"move","match":"1-7","node":"b"}"#,
        about: "Move a match to another node of the cluster while it goes on.")
    case .rebalance:
      CommandSpec(
        rawValue, [.optional("plan", .string)], example: #"{"type":"rebalance"}"#,
        about: "Move matches until all nodes have the same number of players, and draining nodes"
          + " none. PLAN b=20,c=4 moves 20 players of this node to b, and 4 to c.")
    case .all:
      CommandSpec(
        rawValue, [.required("command", .freeText)],
        example: #"{"type":"all","command":"drain 10m"}"#,
        about: "Carry out one of these at all nodes of the cluster: "
          + Self.allCases.filter(\.isForAll).map(\.rawValue).joined(separator: ", ") + ".")
    case .help:
      CommandSpec(
        rawValue,
        [.optional("command", .choice(AdminCommand.allCases.map { JSONName($0.rawValue) }))],
        example: #"{"type":"help"}"#, about: "List the commands.")
    case .quit:
      CommandSpec(rawValue, example: #"{"type":"quit"}"#, about: "Close this connection.")
    }
  }
}

extension LineDecoder {
  /// Decodes the lines of operators.
  static var forAdmin: LineDecoder { LineDecoder(AdminCommand.allCases.map(\.spec)) }
}
