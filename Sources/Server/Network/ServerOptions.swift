import Shared

/// What the command line of the server says.
struct ServerOptions: Equatable {
  enum Action: Equatable {
    case serve(ServerOptions)
    case help
    case version
  }

  static let defaultPort: UInt16 = 7777

  /// `nil`: all interfaces.
  var host: String?
  /// 0: any that is free.
  var port = defaultPort
  var settings = ServerSettings()

  /// Takes the arguments of the process without its name.
  static func parse(_ arguments: [String]) throws(UsageError) -> Action {
    var options = ServerOptions()
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      switch argument {
      case .option("--host"):
        let host = try reader.value(of: "--host")
        guard !host.isEmpty else { throw UsageError("--host needs a host behind it.") }
        options.host = host
      case .option("--port"): options.port = try reader.port(of: "--port", in: 0...65_535)
      case .option("--resume-within"):
        options.settings.resumeWithin = try reader.duration(of: "--resume-within")
      case .option("--turn"): options.settings.turn = try reader.duration(of: "--turn")
      case .option("--max-matches"):
        options.settings.maxMatches = try reader.count(of: "--max-matches")
      case .option("--max-spectators"):
        options.settings.maxSpectators = try reader.count(of: "--max-spectators")
      case .option("--help"), .option("-h"): return .help
      case .option("--version"): return .version
      case .option(let name): throw UsageError("There is no option \(name).")
      case .operand(let word):
        throw UsageError("“\(word)” is too much: the server takes options only.")
      }
    }
    return .serve(options)
  }

  static let help = """
    Usage: tictactoe-server [OPTION]...

    Hosts games of Tic Tac Toe for people at tictactoe-client, or at nc.

      --host HOST           listen only on the addresses of HOST (default: on all, IPv4 and IPv6)
      --port PORT           listen on PORT (default: \(defaultPort)); 0 takes a free one and says which
      --turn TIME           the time for a move, after which the game is lost (default: no limit)
      --resume-within TIME  keep the place of a lost connection in its match for that long (default:
                            60s); 0 does not keep it
      --max-matches N       begin no more matches than that at a time (default: 50000)
      --max-spectators N    let no more watch one match (default: 100)
      --help                show this
      --version             show the version

    A TIME is 500ms, 30s or 2m, and a bare number is seconds. For TIME and N, 0 is no limit unless it
    says otherwise.

    Examples:
      tictactoe-server
      tictactoe-server --host 127.0.0.1 --port 0

    SIGINT (Ctrl-C) and SIGTERM end all matches, say goodbye to everybody and stop the server.
    Exit codes: 0 stopped by a signal, 64 wrong usage, 68 unknown host, 69 cannot listen,
    74 output failed.

    """
}
