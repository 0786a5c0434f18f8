import Shared

/// The client's command line.
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
  /// Whether to use plain lines even if a full screen is possible.
  var wantsPlain = false
  /// The action right after the login.
  var launchAction: LaunchAction?
  /// A shell command that plays instead of the person.
  var command: String?

  /// Parses the arguments of the process, without its name.
  ///
  /// - Throws: if an argument is unknown or not allowed, or if two of them contradict each other.
  static func parse(_ arguments: [String]) throws(UsageError) -> Action {
    var options = ClientOptions()
    var host: HostOperand?
    var url: ServerURL?
    var port: UInt16?
    var needsServer: String?
    var game: String?
    var level: BotLevel?
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
        let opponent = Opponent(argument: try reader.value(of: "--start"))
        if case .watch = options.launchAction { throw Self.startOrWatch }
        options.launchAction = .start(against: opponent)
      case .option("--game"):
        let id = try reader.value(of: "--game").trimmed
        guard !id.isEmpty else { throw UsageError("--game needs the id of a game.") }
        game = id
      case .option("--level"):
        let name = try reader.value(of: "--level")
        level = BotLevel(rawValue: name)
        guard level != nil else {
          throw UsageError("--level must be easy, medium or hard, not “\(name)”.")
        }
      case .option("--watch"):
        let match = try reader.value(of: "--watch").trimmed
        guard !match.isEmpty else { throw UsageError("--watch needs the id of a match.") }
        if case .start = options.launchAction { throw Self.startOrWatch }
        options.launchAction = .watch(match)
        needsServer = "--watch"
      case .option("--exec"):
        let command = try reader.value(of: "--exec")
        guard !command.isEmpty else { throw UsageError("--exec needs a command.") }
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
          throw UsageError("HOST is empty. For \(defaultHost), leave it out.")
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
      throw UsageError(
        "--local plays without a server, so it cannot be combined with \(needsServer).")
    }
    if options.command != nil {
      if options.name != nil {
        throw UsageError(
          "--exec leaves the login to the program, so it cannot be combined with --name.")
      }
      switch options.launchAction ?? url?.action {
      case nil: break
      case .start:
        throw UsageError(
          "--exec leaves the start to the program, so it cannot be combined with --start.")
      case .watch:
        throw UsageError(
          "--exec leaves the start to the program, so it cannot be combined with --watch.")
      }
    }
    if port != nil, url?.port != nil || host?.port != nil {
      let what = url == nil ? "HOST" : "The URL"
      throw UsageError("\(what) already names a port, so it cannot be combined with --port.")
    }
    if url?.action != nil, let action = options.launchAction {
      let option = if case .watch = action { "--watch" } else { "--start" }
      throw UsageError(
        "The URL already says how to begin, so it cannot be combined with \(option).")
    }
    options.host = url?.host ?? host?.host ?? defaultHost
    options.port = url?.port ?? host?.port ?? port ?? defaultPort
    options.launchAction = try (url?.action ?? options.launchAction).adding(game, level)
    return .play(options)
  }

  private static let startOrWatch = UsageError(
    "--start and --watch cannot be combined: one plays, the other watches.")

  private static func tooMuch(_ word: String) -> UsageError {
    UsageError("“\(word)” is one argument too many: give one HOST.")
  }

  static let help = """
    Usage: tictactoe-client [HOST[:PORT]] [--name NAME] [--start OPPONENT [--game GAME]]
           tictactoe-client [HOST[:PORT]] --watch MATCH | --exec COMMAND
           tictactoe-client tictactoe://HOST[:PORT][/start/OPPONENT/GAME/LEVEL | /watch/MATCH]
           tictactoe-client --local [--start OPPONENT]

    Plays Tic Tac Toe at a tictactoe-server, or at one keyboard without a server.

      HOST              the server (default: \(defaultHost)); also [IPV6]:PORT
      --port PORT       the server's port (default: \(defaultPort))
      --name NAME       log in under this name, without asking
      --start OPPONENT  start a game after the login: against bot, a player, or anyone
      --game GAME       for --start: tictactoe, four, gomoku, connect, misere or ultimate
      --level LEVEL     for --start bot: easy, medium or hard (default)
      --watch MATCH     watch a match after the login; the list of matches shows its id
      --exec COMMAND    let a program play that speaks the server's protocol
      --local           two people at this keyboard, without a server
      --plain           use plain lines even if a full screen is possible
      --help, --version show this text, or the version

    On the full screen, ? shows the keys and Ctrl-C ends the program. With a pipe,
    NO_COLOR=1 or TERM=dumb the client uses plain lines; type help or quit there.
    Exit codes: 0 success, 64 wrong usage, 68 unknown host, 69 no connection (in a
    script also: refused or lost), 74 input, output or the --exec program failed.

    """
}

extension LaunchAction? {
  /// Adds what `--game` and `--level` say to a start.
  fileprivate func adding(
    _ game: String?, _ level: BotLevel?
  ) throws(UsageError) -> LaunchAction? {
    guard game != nil || level != nil else { return self }
    let option = game == nil ? "--level" : "--game"
    guard case .start(let opponent, let urlGame, let urlLevel) = self else {
      throw UsageError("\(option) needs --start.")
    }
    guard game == nil || urlGame == nil, level == nil || urlLevel == nil else {
      throw UsageError(
        "The URL already says how to begin, so it cannot be combined with \(option).")
    }
    guard level == nil || opponent == .bot else { throw UsageError("--level needs --start bot.") }
    return .start(against: opponent, game: game ?? urlGame, level: level ?? urlLevel)
  }
}
