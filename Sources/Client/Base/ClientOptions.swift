import Shared

/// What the command line and the configuration file ask for.
struct ClientOptions: Equatable {
  enum Action {
    case play([OptionSetting])
    case help
    case version
  }

  static let defaultHost = "localhost"
  static let defaultPort: UInt16 = 7777
  /// Another port, because a host may offer both.
  static let defaultTLSPort: UInt16 = 7778

  static func defaultPort(usesTLS: Bool) -> UInt16 { usesTLS ? defaultTLSPort : defaultPort }

  var host = defaultHost
  var port = defaultPort
  var usesTLS = false
  /// The path of a file with the certificates to trust instead of the system's.
  var caFile: String?
  var name: String?
  var isLocal = false
  /// Whether to use plain lines even if a full screen is possible.
  var wantsPlain = false
  /// The action right after the login.
  var launchAction: LaunchAction?
  /// The path of a file with an exported match, to show without a server.
  var replayFile: String?
  /// A shell command that plays instead of the person.
  var command: String?
  /// The game and the bot's level that are chosen in the lobby.
  var choice = GameChoice()
  /// `nil` if the environment decides.
  var isASCII: Bool?
  var hasBell = true
  /// `nil` if the environment decides.
  var hasMouse: Bool?
  /// `nil` if the environment decides.
  var hasColors: Bool?
  /// Whether strangers use this program through an account that they share.
  var isKiosk = false
  /// What a friend types to come here, in place of the command and the URL of this client. `CODE`
  /// stands for the code.
  var friendLine: String?
  /// Whether each connection to the server begins with a PROXY header that names the person's
  /// address.
  var sendsProxy = false
  /// Where browsers find the page; `nil` if the program plays in a terminal.
  var web: ServingAddress?
  /// `nil` means the default.
  var maxTabs: Int?
  /// `nil` means the default.
  var maxTabsOfAddress: Int?
  /// The names under which browsers may find the page, besides addresses and those of this host.
  var webNames: [String] = []
  /// Where the metrics of the page are served; `nil` for nowhere.
  var webMetrics: ServingAddress?
  /// The proxies whose word about the address of a browser counts.
  var webProxies: [IPNetwork] = []

  /// Parses the arguments of the process, without its name.
  ///
  /// - Throws: if an argument is unknown or not allowed, or if two of them contradict each other.
  static func parse(_ arguments: [String]) throws(UsageError) -> Action {
    var settings: [OptionSetting] = []
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      let added: [OptionSetting]
      switch argument {
      case .option("--help"), .option("-h"): return .help
      case .option("--version"): return .version
      case .option(let name):
        guard let option = ClientOption(argument: name) else {
          throw UsageError("There is no option \(name).")
        }
        let value: String
        if case .optionalWords(let words) = option.row.completion {
          value = reader.optionalValue(in: words) ?? "yes"
        } else {
          value = option.isFlag ? reader.attachedValue() ?? "yes" : try reader.value(of: name)
        }
        added = try option.settings(for: value, named: name)
      case .operand(let word):
        guard !settings.contains(where: { $0.option == .host }) else {
          throw UsageError("“\(word)” is one argument too many: give one HOST.")
        }
        added = try ClientOption.host.settings(for: word, named: word)
      }
      try OptionSetting.check(added, with: settings)
      settings += added
    }
    return .play(settings)
  }

  /// The options that only the command line has.
  static let commandLine = [
    OptionRow("help", "show this help"), OptionRow("version", "show the version"),
  ]

  /// Returns a line of the help with several options.
  private static func line(
    _ options: ClientOption..., and others: [OptionRow] = [], hasValues: Bool = true,
    text: String? = nil
  ) -> String {
    let rows = options.map(\.row) + others
    let head = rows.map { hasValues ? $0.usage : "--\($0.name)" }.joined(separator: ", ")
    let space = String(repeating: " ", count: max(2, 18 - head.count))
    return "  \(head)\(space)\(text ?? rows.map(\.text).joined(separator: "; "))"
  }

  private static let display = line(
    .ascii, .bell, .mouse, .colors, hasValues: false,
    text: "yes or no: use them on the full screen")

  static let help = """
    Usage: tictactoe-client [HOST[:PORT] | URL] [OPTION]...
    Plays Tic Tac Toe at a tictactoe-server, or at one keyboard without a server.
      HOST, URL         \(defaultHost) by default; tictactoe[s]://HOST[:PORT][/start/OPPONENT | …]
    \(line(.port))
    \(line(.tls, .tlsCA))
    \(line(.name))
    \(line(.start))
    \(line(.game))
    \(line(.level))
    \(line(.join, .watch))
    \(line(.replay))
    \(line(.exec))
    \(line(.local))
    \(line(.plain))
    \(display)
    \(line(.web, .webName, .webMetrics, text: "serve browsers"))
    \(line(.maxTabs, .maxTabsPerAddress, .trustProxy, text: "and limit them"))
    \(line(.kiosk, .friendLine, .sendProxy, and: commandLine, text: "see the manual"))

    Options may stand in ~/.config/tictactoe/config (name = ann); a script's password in the
    file that TICTACTOE_PASSWORD_FILE names. ? shows all keys; in plain lines type help.
    Exit codes: 0 success, 64 usage, 65 damaged replay, 66 no such file, 68 unknown host,
    69 no connection (in a script also: refused, lost), 74 I/O or --exec failed, 78 bad file.

    """
}

extension ClientOptions {
  /// Later settings replace earlier ones.
  init(_ settings: [OptionSetting]) {
    for setting in settings { setting.apply(&self) }
    let given = settings.map(\.option)
    if !given.contains(.tls) { usesTLS = caFile != nil }
    if !given.contains(.port) { port = Self.defaultPort(usesTLS: usesTLS) }
    if case .start(let opponent, _, _) = launchAction {
      let level = opponent == .bot ? choice.level : nil
      launchAction = .start(against: opponent, game: choice.game, level: level)
    }
  }
}
