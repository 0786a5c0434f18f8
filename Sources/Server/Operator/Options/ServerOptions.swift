import Shared

/// The options of the server, from its command line and its configuration file.
struct ServerOptions: Equatable {
  enum Action: Equatable {
    case serve(ServerOptions)
    /// The arguments are those of the process without the name of the tool.
    case tool(Tool, [String])
    case help
    case version
  }

  static let defaultPort: UInt16 = 7777

  /// `nil` means all interfaces.
  var host: String?
  /// 0 means any free port.
  var port = defaultPort
  var settings = ServerSettings()
  var log = Log.Options()
  /// Where metrics are served; `nil` means nowhere.
  var metrics: Endpoint?
  var data = DataLocation.standard
  var store = StoreOptions()
  var admin = AdminLocation.standard
  /// The path of the socket for those who may only read; `nil` for none.
  var adminRead: String?
  /// `nil` for a server by itself.
  var cluster: ClusterOptions?
  var onlyChecks = false
  var configuration = ConfigurationLocation.standard

  /// Where games are served.
  var endpoint: Endpoint {
    Endpoint(host: host, port: port, advice: "tictactoe-server --port PORT")
  }

  /// Parses the arguments of the process without its name. `file` has the settings of the
  /// configuration files and the environment, which those of the command line replace. `nil` means
  /// that they are not read yet, and may have options that those of the command line need.
  ///
  /// - Throws: if an option is unknown, its value is not allowed, or options do not fit together.
  static func parse(
    _ arguments: [String], file: [ServerSetting]? = nil
  ) throws(UsageError) -> Action {
    var settings: [ServerSetting] = []
    var onlyChecks = false
    var configuration = ConfigurationLocation.standard
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      switch argument {
      case .option("--help"), .option("-h"): return .help
      case .option("--version"): return .version
      case .option("--check-config"): onlyChecks = true
      case .option("--config"):
        configuration = try ConfigurationLocation(try reader.value(of: "--config"))
      case .option(let name):
        guard let option = ServerOption(argument: name) else {
          throw UsageError("There is no option \(name).")
        }
        settings.append(
          ServerSetting(option: option, value: try reader.value(of: name), name: name))
      case .operand(let word):
        guard let tool = Tool(rawValue: word) else {
          let tools = Tool.allCases.map(\.rawValue).joined(separator: ", ")
          throw UsageError("“\(word)” is neither an option nor a command (\(tools)).")
        }
        var others = arguments
        others.remove(at: arguments.count - reader.remaining - 1)
        return .tool(tool, others)
      }
    }
    var options = try ServerOptions(
      (file ?? []).replaced(by: settings), isWhole: file != nil)
    options.onlyChecks = onlyChecks
    options.configuration = configuration
    return .serve(options)
  }

  /// The options that only the command line has.
  static let commandLine = [
    OptionRow(
      "config", "FILE", "read further options from FILE and FILE.d/*.conf, or from none",
      standard: ConfigurationLocation.standardPath, note: "; SIGHUP reads them again",
      completion: .filesOrNone),
    OptionRow("check-config", "check the configuration, and exit"),
    OptionRow("help", "show this help"), OptionRow("version", "show the version"),
  ]

  private static func rows(_ sections: ServerOption.Section...) -> String {
    sections.flatMap(\.options).map(\.row.option).help(textsAt: 27)
  }

  static let help = """
    Usage: tictactoe-server [OPTION ...]
           tictactoe-server COMMAND [--data FOLDER]

    Hosts games of Tic Tac Toe for tictactoe-client, nc and bots.

    \(rows(.listening, .play, .log, .data, .cluster))\
    \(commandLine.help(textsAt: 27))\

    Limits. TIME is 500ms, 30s or 2m; a number without a unit is in seconds. 0 means no limit.
    \(rows(.limits))\
    Fixed limits: a line has up to 4096 bytes. The commands of a client that leaves 64 KiB unread
    wait, for up to 10 s. A client that leaves 1 MiB unread, or as a spectator 128 KiB, is
    disconnected. A session may chat 10 times at once, then 5 times a second.

    Limits of one address: an IPv4 address or an IPv6 /64. An IPv6 /48 may have 4 times as much.
    \(rows(.addresses))\
    --per-second 0 also lifts the limits on lines, logins and chat.

    TICTACTOE_MAX_MATCHES=500 in the environment is --max-matches 500; the command line comes first.
    COMMAND: \(Tool.allCases.map(\.rawValue).joined(separator: ", ")).

    On SIGTERM the server begins no more games, waits for running games, sends bye to everybody
    and stops. Matches in FOLDER go on after the next start. SIGINT (Ctrl-C) or a second SIGTERM
    does not wait for games; a third does not wait until bye is sent. SIGUSR1 writes the live
    matches and all counters to standard error.
    Exit codes: 0 stopped, 1 refused, 64 wrong usage, 65 damaged data, 66 no such match or folder,
    68 unknown host, 69 cannot listen, FOLDER in use, engine unusable, 73 cannot write FOLDER,
    74 I/O, 76 NAME of --node in use, 78 bad --config.

    """
}
