import Shared

/// What the command line of the client says.
struct ClientOptions: Equatable {
  enum Action: Equatable {
    case play(ClientOptions)
    case help
    case version
  }

  static let defaultHost = "localhost"
  static let defaultPort: UInt16 = 7777

  var host = defaultHost
  var port = defaultPort
  var name: String?
  var isLocal = false
  /// Plain lines, also where a full screen could be shown.
  var wantsPlain = false
  /// What to do right after the login.
  var firstWish: FirstWish?
  /// A command of the shell that plays instead of the person.
  var command: String?

  /// Takes the arguments of the process without its name.
  static func parse(_ arguments: [String]) throws(UsageError) -> Action {
    var options = ClientOptions()
    var host: HostOperand?
    var url: ServerURL?
    var port: UInt16?
    var needsServer: String?
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      switch argument {
      case .option("--port"):
        port = try reader.port(of: "--port", in: 1...65_535)
        needsServer = "--port"
      case .option("--name"):
        options.name = try reader.value(of: "--name")
        needsServer = "--name"
      case .option("--start"):
        let opponent = Opponent(wish: try reader.value(of: "--start"))
        if case .watch = options.firstWish { throw Self.startOrWatch }
        options.firstWish = .start(against: opponent)
      case .option("--watch"):
        let match = try reader.value(of: "--watch").trimmed
        guard !match.isEmpty else { throw UsageError("--watch needs a match behind it.") }
        if case .start = options.firstWish { throw Self.startOrWatch }
        options.firstWish = .watch(match)
        needsServer = "--watch"
      case .option("--exec"):
        let command = try reader.value(of: "--exec")
        guard !command.isEmpty else { throw UsageError("--exec needs a command behind it.") }
        options.command = command
        needsServer = "--exec"
      case .option("--local"): options.isLocal = true
      case .option("--plain"): options.wantsPlain = true
      case .option("--help"), .option("-h"): return .help
      case .option("--version"): return .version
      case .option(let name): throw UsageError("There is no option \(name).")
      case .operand(let word):
        guard host == nil else { throw Self.tooMuch(word) }
        guard !word.isEmpty else {
          throw UsageError("HOST is empty; leave it out for \(defaultHost).")
        }
        guard url == nil else { throw Self.tooMuch(word) }
        if ServerURL.isMeant(by: word) {
          url = try ServerURL(word)
        } else {
          host = try HostOperand(word)
        }
        needsServer = word
      }
    }
    if options.isLocal, let needsServer {
      throw UsageError("--local plays without a server, so it does not go with \(needsServer).")
    }
    if options.command != nil {
      if options.name != nil {
        throw UsageError("--exec leaves the login to the program, so it does not go with --name.")
      }
      switch options.firstWish ?? url?.wish {
      case nil: break
      case .start:
        throw UsageError("--exec leaves the start to the program, so it does not go with --start.")
      case .watch:
        throw UsageError("--exec leaves the start to the program, so it does not go with --watch.")
      }
    }
    if port != nil, url?.port != nil || host?.port != nil {
      let what = url == nil ? "HOST" : "The URL"
      throw UsageError("\(what) names a port already, so it does not go with --port.")
    }
    if url?.wish != nil, let wish = options.firstWish {
      let option = if case .watch = wish { "--watch" } else { "--start" }
      throw UsageError("The URL says already what to begin with, so it does not go with \(option).")
    }
    options.host = url?.host ?? host?.host ?? defaultHost
    options.port = url?.port ?? host?.port ?? port ?? defaultPort
    options.firstWish = url?.wish ?? options.firstWish
    return .play(options)
  }

  private static let startOrWatch = UsageError(
    "--start and --watch do not go together: one plays, the other watches.")

  private static func tooMuch(_ word: String) -> UsageError {
    UsageError("“\(word)” is too much: one HOST is enough.")
  }

  static let help = """
    Usage: tictactoe-client [HOST[:PORT]] [--name NAME] [--start OPPONENT]
           tictactoe-client [HOST[:PORT]] --watch MATCH | --exec COMMAND
           tictactoe-client tictactoe://HOST[:PORT][/start/OPPONENT | /watch/MATCH]
           tictactoe-client --local [--start OPPONENT]

    Plays Tic Tac Toe through a tictactoe-server, or here, at one keyboard, without one.

      HOST              where the server is (default: \(defaultHost)); [IPV6]:PORT as well
      --port PORT       the server's port (default: \(defaultPort))
      --name NAME       log in under this name instead of asking for one
      --start OPPONENT  after the login start at once: with bot, a player's name, or anyone
      --watch MATCH     after the login watch a match; its id is in the list of matches
      --exec COMMAND    give the seat to a program that speaks the server's lines
      --local           two people at this keyboard, no server
      --plain           plain lines, also where a full screen could be shown
      --help, --version show this, or the version

    Example: tictactoe-client tictactoe://play.example.org/start/bob%20ross --name ann

    On the full screen ? lists the keys, and Ctrl-C ends the program. At a pipe, with
    NO_COLOR=1 or TERM=dumb it speaks in plain lines; there help and quit can be typed.
    Exit codes: 0 all well, 64 wrong usage, 68 unknown host, 69 no connection, or in a
    script refused or lost, 74 input or output failed, or the program of --exec.

    """
}
