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
  /// Whether only the configuration is checked.
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

  static let help = """
    Usage: tictactoe-server [OPTION ...]
           tictactoe-server COMMAND [--data FOLDER]

    Hosts games of Tic Tac Toe for tictactoe-client, nc and bots.

      --host HOST              listen only on the addresses of HOST (default: all, IPv4 and IPv6)
      --port PORT              listen on PORT (default: \(defaultPort)); 0 takes a free port
      --turn TIME              the time for a move between two people (default: 5m; 0: no limit)
      --invite-within TIME     how long an invitation stands (default: 2m; 0 means no limit)
      --motd TEXT              greet everyone who logs in with TEXT
      --resume-within TIME     the time for a lost player to reconnect (default: 60s); 0 means none
      --drain TIME             let running games continue for TIME after SIGTERM (default: 30s)
      --log-level LEVEL        off, warning, info (default), debug (also moves) or trace (all lines)
      --log-format FORMAT      text (default) or json, one object on each line
      --metrics HOST:PORT      serve Prometheus metrics, /healthz, /readyz (PORT alone: 127.0.0.1)
      --data FOLDER            keep matches in FOLDER; none turns it off (default: $STATE_DIRECTORY,
                               or tictactoe-server/PORT in $XDG_STATE_HOME or ~/.local/state)
      --admin PATH             the operator's socket, or none (default: admin.sock in FOLDER)
      --admin-read PATH        a socket for a group that may only look, or none (default: none)
      --durability WHAT        what matches outlive: process (default), power (slower) or none
      --segment SIZE           the largest file of the journal (default: 64m; from 64k to 4095m)
      --keep DAYS              keep the moves of finished matches for DAYS (default: 0, for ever)
      --cluster URL            be a node of a cluster, with the Redis or Valkey at URL: redis://HOST
                               or redis+sentinel://HOST,HOST,HOST/NAME; with TLS, rediss instead
      --cluster-file FILE      the same with the URL in FILE, for a URL with a password
      --cluster-replicas N     how many of its replicas confirm a move (default: 1; from 0 to 5)
      --cluster-keep TIME      keep finished matches without a limit until the last word of archive
                               --follow is older than TIME (default: 1h), and then for a day
      --node NAME              this node's name (default: the first part of the host's name)
      --advertise HOST:PORT    where clients reach this node (default: the host's name and PORT)
      --config FILE            read further options from FILE and FILE.d/*.conf, or from none
                               (default: /etc/tictactoe-server.conf); SIGHUP reads them again
      --check-config           check the configuration, and exit
      --help, --version        show this, or the version

    Limits. TIME is 500ms, 30s or 2m; a number without a unit is in seconds. 0 means no limit.
      --login-within TIME      close a connection without a login after TIME (default: 30s)
      --idle TIME              close a connection that sends nothing for TIME (default: 0)
      --per-second COUNT       lines that a connection may send each second (default: 1000)
      --burst COUNT            lines that a connection may send at once (default: 4000)
      --max-connections COUNT  connections at a time (default: 20000)
      --max-matches COUNT      matches at a time (default: 50000)
      --max-spectators COUNT   spectators of one match (default: 100)
      --max-unsent SIZE        unread output of all clients; k: 1024 bytes, m, g (default: 64m)
      --trust-proxy NETWORK    connections from NETWORK begin with a PROXY header; may be repeated
    Fixed limits: a line has up to 4096 bytes. The commands of a client that leaves 64 KiB unread
    wait, for up to 10 s. A client that leaves 1 MiB unread, or as a spectator 128 KiB, is
    disconnected. A session may chat 10 times at once, then 5 times a second.

    Limits of one address: an IPv4 address or an IPv6 /64. An IPv6 /48 may have 4 times as much.
      --max-per-address COUNT  connections (default: 1000); 0 lifts all limits of an address
      --matches-per-address COUNT  players, also those whose connection is lost (default: 1000)
      --unsent-per-address SIZE  unread output (default: 8m)
      --lines-per-address COUNT  lines each second, 4 times as many at once (default:
                               20 x --per-second); list counts as 10, help, watch, sync, login and
                               resume as 5, start, open, join, decline and say as 2
      --logins-per-address COUNT  logins and resumes a second, 20 times as many at once
                               (default: 100)
      --time-per-address PERCENT  share of a processor; beyond it lines wait (default: 25)
    --per-second 0 also lifts the limits on lines, logins and chat.

    TICTACTOE_MAX_MATCHES=500 in the environment is --max-matches 500, unless the command line has it.
    COMMAND: export, verify, check, backup, restore, rebuild, stats, archive, admin or config.

    On SIGTERM the server begins no more games, waits for running games, sends bye to everybody
    and stops. Matches in FOLDER go on after the next start. SIGINT (Ctrl-C) or a second SIGTERM
    does not wait for games; a third does not wait until bye is sent. SIGUSR1 writes the live
    matches and all counters to standard error.
    Exit codes: 0 stopped, 1 refused, 64 wrong usage, 65 damaged data, 66 no such match or folder,
    68 unknown host, 69 cannot listen, FOLDER in use, engine unusable, 73 cannot write FOLDER,
    74 I/O, 76 NAME of --node in use, 78 bad --config.

    """
}
