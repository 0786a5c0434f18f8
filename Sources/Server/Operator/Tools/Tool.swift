import Foundation
import Shared

/// The operator's tools: the first word of the command line that is no option.
enum Tool: String, CaseIterable {
  case export, verify, check, backup, restore, rebuild, stats, archive, admin, config

  /// What it does, for the list in the server's help.
  var about: String {
    switch self {
    case .export: "write the lines of a match, as a spectator gets them"
    case .verify: "replay stored matches, or an exported file, against the rules"
    case .check: "look for damage; --repair keeps what is whole"
    case .backup: "copy the data into a new folder; --keep removes older copies"
    case .restore: "put a backup in place of the data"
    case .rebuild: "make the ratings again from the results"
    case .stats: "say how much there is of everything"
    case .archive: "copy the finished matches of a cluster into an archive"
    case .admin: "speak to a running server: see who plays, kick, ban, announce, drain"
    case .config: "show each option with its value, and where that comes from"
    }
  }

  /// What follows the options: its name, and whether it is needed; `nil` if nothing does.
  var operand: (name: String, isRequired: Bool)? {
    switch self {
    case .export: ("MATCH", true)
    case .verify: ("MATCH|FILE", false)
    case .backup: ("TARGET", true)
    case .restore: ("BACKUP", true)
    case .admin: ("COMMAND ...", true)
    case .config: ("show", true)
    case .check, .rebuild, .stats, .archive: nil
    }
  }

  var allowsRepair: Bool { self == .check }

  /// Whether it can work on the engine of a cluster.
  var allowsEngine: Bool { [.archive, .backup, .restore].contains(self) }

  func run(_ options: ToolOptions) throws -> ExitCode {
    switch self {
    case .export: try ExportTool.run(options)
    case .verify: try VerifyTool.run(options)
    case .check: try CheckTool.run(options)
    case .backup: try BackupTool.run(options)
    case .restore: try RestoreTool.run(options)
    case .rebuild: try RebuildTool.run(options)
    case .stats: try StatsTool.run(options)
    case .archive: try ArchiveTool.run(options)
    case .admin: try AdminTool.run(options)
    // It has options of its own.
    case .config: .usage
    }
  }

  var usage: String {
    let operand = operand.map { $0.isRequired ? " \($0.name)" : " [\($0.name)]" } ?? ""
    let options =
      switch self {
      case .admin: "[--data FOLDER | --socket PATH]"
      case .config: "[--config FILE] [OPTION ...]"
      case .archive: "[--cluster URL | --cluster-file FILE] --data FOLDER"
      case .backup: "[--keep NUMBER] [--data FOLDER | --cluster URL | --cluster-file FILE]"
      case .restore: "[--data FOLDER | --cluster URL | --cluster-file FILE]"
      case .export, .verify, .check, .rebuild, .stats: "[--data FOLDER]"
      }
    return "tictactoe-server \(rawValue)\(allowsRepair ? " [--repair]" : "")\(operand) \(options)"
  }

  var help: String {
    switch self {
    case .admin: AdminTool.help
    case .config: ConfigTool.help
    case .archive: ArchiveTool.help
    case .export, .verify, .check, .backup, .restore, .rebuild, .stats: dataHelp
    }
  }

  /// The help of a tool that works on the data.
  private var dataHelp: String {
    """
    Usage: \(usage)

    \(details)

      --data FOLDER  the data of the server (default: that of the configured server)
      --config FILE  the configuration file of the server (default: /etc/tictactoe-server.conf)
    \(moreOptions)\
      --help         show this

    Exit codes: 0 good, 64 wrong usage, 65 damage, 66 no such match, file or folder, 69 FOLDER is
    in use or of an older server, or SQLite or the engine cannot be used, 73 cannot write there, 74
    reading or writing failed.

    """
  }

  private var moreOptions: String {
    let repair = "  --repair       keep what is whole; no server may run on FOLDER\n"
    let keep = """
        --keep NUMBER  put the copy into a folder in TARGET that has the time as its name, and keep
                       this many of them

      """
    let cluster = """
        --cluster URL  the engine of a cluster instead of a folder: redis://HOST or
                       redis+sentinel://HOST,HOST,HOST/NAME
        --cluster-file FILE
                       the same with the URL in FILE, for a URL with a password

      """
    return switch self {
    case .check: repair
    case .backup: keep + cluster
    case .restore: cluster
    case .export, .verify, .rebuild, .stats, .archive, .admin, .config: ""
    }
  }

  var details: String {
    switch self {
    case .export:
      """
      Writes the lines of a match to standard output: all that a spectator of the whole match got,
      and nothing else. The match may be over or still going on, and the server may run.
      """
    case .verify:
      """
      Replays a match, the lines in an exported file, or all matches of FOLDER: the rules of the
      game, the numbers of the events, hashes, scores, types, and the checksums in FOLDER. An
      argument with a / or a . is a file. If FOLDER has its match, the file must equal it byte for
      byte. The server may run.
      """
    case .backup:
      """
      Copies the data of FOLDER into the folder TARGET, which must be empty or not exist. The server
      may run. restore puts the copy in place of the data. With --keep, TARGET is a folder of copies:
      when the new one is on the disk, the oldest ones are removed. Of a cluster it copies accounts,
      ratings, results and bans, and no matches.
      """
    case .restore:
      """
      Checks a copy that backup has made, and puts it in place of the data in FOLDER. What was there
      is kept beside, as FOLDER.replaced- and the time. No server may run on FOLDER. With an engine,
      which must be empty, it restores accounts, ratings, results and bans of any copy.
      """
    case .rebuild:
      """
      Checks the history against the lines of all stored matches, and makes all ratings again from
      the results of the rated games. Accounts and the history stay as they are. The games of
      deleted accounts count for the others. No server may run on FOLDER.
      """
    case .stats:
      """
      Says how many matches, games, players and accounts there are, how large the files are, and
      which games are played most. The server may run.
      """
    case .archive:
      """
      Copies the finished matches of a cluster from its engine, which keeps them for a day, into the
      archive in FOLDER, which keeps them for ever. Run it every hour, for example: it copies only
      what the archive does not have. export, verify and stats then work on FOLDER. Accounts,
      ratings and the latest results stay in the engine too.
      """
    case .admin:
      """
      Sends a command to a running server, and shows the reply. Only the user of the server and root
      may. A server without data has a socket only with tictactoe-server --admin PATH.
      """
    case .config:
      """
      Shows every option with its value, and where that comes from: the default, a line of a file,
      the environment or the command line, of which each wins over those before it. Give it the
      options that the server is started with. Passwords are left out.
      """
    case .check:
      """
      Reads everything in FOLDER as a start of the server does, and says what it has read. It
      changes nothing, and may run beside the server. With --repair it keeps each match without a
      damaged record. A match with one is cut before it, or dropped if it cannot go on from there.
      The damaged files stay beside.
      """
    }
  }

  /// Runs the tool with its arguments: those of the process without the tool's name.
  ///
  /// - Throws: `UsageError`, or `ServerConfigurationError` if the configuration file is wrong.
  func run(_ arguments: [String]) throws -> ExitCode {
    if self == .config { return try ConfigTool.run(arguments) }
    guard let options = try ToolOptions(self, arguments) else { return StandardOutput.write(help) }
    for warning in options.warnings { StandardOutput.printError(warning) }
    do {
      return try run(options)
    } catch {
      let failure = StartError(error, inToolOn: options.data, target: target(options))
      StandardOutput.printError(failure.sentence)
      return failure.code
    }
  }
}

extension Tool {
  /// Where it writes.
  private func target(_ options: ToolOptions) -> String {
    self == .backup ? options.operand ?? "" : options.data
  }
}

/// The options of a tool.
struct ToolOptions: Equatable {
  /// The path of the data folder; empty for `admin`, unless it is named.
  let data: String
  var operand: String?
  var repairs = false
  /// How many backups are kept, for `backup`; `nil` if it makes a single one.
  var keep: Int?
  /// The line for the operator's socket, with its LF.
  var request: [UInt8] = []
  /// How long the server may take to reply, for `admin`.
  var timeout = Duration.zero
  /// The path of the operator's socket, for `admin`.
  var socket: String?
  var isJSON = false
  /// The engine of the cluster, for `archive`; for `backup` and `restore` if they work on one.
  var engine: EngineAddress?
  /// The mistakes of the configuration, which do not keep the operator from working.
  private(set) var warnings: [String] = []

  /// Parses the arguments of a tool. Returns `nil` if they ask for its help. Without `--data` the
  /// folder is that of a server with the configuration file. Of a configuration with mistakes, the
  /// lines without one count.
  ///
  /// - Throws: `UsageError` if they are not those of the tool; `ServerConfigurationError` if a file
  ///   that is named is missing, or the tool would change data that a wrong line may have named.
  init?(
    _ tool: Tool, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    var reader = ArgumentReader(arguments)
    var data: String?
    var words: [String] = []
    var cluster = ClusterSettings()
    var configuration = ConfigurationLocation.standard
    while let argument = try reader.next() {
      switch argument {
      case .option("--data"):
        let path = try reader.value(of: "--data")
        guard !path.isEmpty, path != "none" else { throw UsageError("--data takes a folder.") }
        data = path
      case .option("--config"):
        configuration = try ConfigurationLocation(try reader.value(of: "--config"))
      case .option("--repair") where tool.allowsRepair: repairs = true
      case .option("--socket") where tool == .admin:
        let path = try reader.value(of: "--socket")
        guard !path.isEmpty else { throw UsageError("--socket takes the path of a socket.") }
        socket = path
      case .option("--json") where tool == .admin: isJSON = true
      case .option("--keep") where tool == .backup:
        let text = try reader.value(of: "--keep")
        guard let count = Int(text), Self.keepRange.contains(count) else {
          throw UsageError("--keep takes a number from 1 to 10000.")
        }
        keep = count
      case .option("--cluster") where tool.allowsEngine:
        try cluster.setEngine(to: try reader.value(of: "--cluster"), by: "--cluster")
      case .option("--cluster-file") where tool.allowsEngine:
        try cluster.setEngine(inFile: try reader.value(of: "--cluster-file"), by: "--cluster-file")
      case .option("--help"), .option("-h"): return nil
      case .option(let name):
        throw UsageError("tictactoe-server \(tool.rawValue) has no option \(name).")
      case .operand(let word) where tool == .admin: words.append(word)
      case .operand(let word):
        guard let wanted = tool.operand, operand == nil else {
          throw UsageError("“\(word)” is too much. The usage is: \(tool.usage).")
        }
        guard !word.isEmpty else {
          throw UsageError("\(wanted.name) is empty. The usage is: \(tool.usage).")
        }
        operand = word
      }
    }
    if tool == .admin {
      (request, timeout) = try AdminTool.request(words)
    } else if let wanted = tool.operand, wanted.isRequired, operand == nil {
      throw UsageError("\(wanted.name) is missing. The usage is: \(tool.usage).")
    }
    var mistakes: [String] = []
    let changesData = tool == .rebuild || tool == .restore || repairs
    func configured() throws(ServerConfigurationError) -> [ServerSetting] {
      if case .file(let path) = configuration, access(path, F_OK) != 0 {
        return try ServerConfiguration.settings(at: configuration, environment)
      }
      let read = ServerConfiguration(at: configuration, environment)
      if let first = read.mistakes.first, changesData {
        throw ServerConfigurationError(
          sentences: [
            first,
            "To be sure of the folder, name it: --data FOLDER"
              + (tool.allowsEngine ? ", or the engine: --cluster URL" : ""),
          ])
      }
      mistakes = read.mistakes
      return read.settings
    }
    if tool == .archive {
      guard let data else { throw UsageError("--data is missing. The usage is: \(tool.usage).") }
      engine = try cluster.engine ?? Self.engine(in: configured())
      self.data = data
    } else if tool.allowsEngine {
      guard data == nil || cluster.engine == nil else {
        throw UsageError("Name a folder with --data or an engine, not both.")
      }
      var settings: [ServerSetting] = []
      if data == nil, cluster.engine == nil { settings = try configured() }
      engine = try cluster.engine ?? Self.engineIfPresent(in: settings)
      self.data = try engine != nil ? "" : data ?? Self.data(in: settings, environment)
    } else if tool == .admin {
      self.data = data ?? ""
      if socket == nil { socket = try Self.socket(data, environment, configured) }
    } else {
      self.data = try data ?? Self.data(in: configured(), environment)
    }
    warnings = mistakes
  }

  /// Returns the path of the operator's socket.
  private static func socket(
    _ data: String?, _ environment: [String: String], _ settings: () throws -> [ServerSetting]
  ) throws -> String? {
    if let data { return AdminLocation.standard.path(inData: data) }
    let options = try options(of: settings())
    let folder = options.data.path(port: options.port, environment)
    guard let path = options.admin.path(inData: folder) else {
      throw UsageError("The configured server has no admin socket. Name one: --socket PATH.")
    }
    return path
  }

  private static let keepRange = 1...10_000

  private static func engine(in settings: [ServerSetting]) throws -> EngineAddress {
    guard let engine = try engineIfPresent(in: settings) else {
      throw UsageError(
        "The configured server is no node of a cluster. Name the engine: --cluster URL, or"
          + " --cluster-file FILE.")
    }
    return engine
  }

  /// `nil` if the server is no node of a cluster.
  private static func engineIfPresent(in settings: [ServerSetting]) throws -> EngineAddress? {
    var cluster = ClusterSettings()
    for setting in settings {
      switch setting.option {
      case .cluster: try cluster.setEngine(to: setting.value, by: setting.name)
      case .clusterFile: try cluster.setEngine(inFile: setting.value, by: setting.name)
      default: break
      }
    }
    return cluster.engine
  }

  private static func data(
    in settings: [ServerSetting], _ environment: [String: String]
  ) throws -> String {
    let options = try options(of: settings)
    guard let path = options.data.path(port: options.port, environment) else {
      throw UsageError("The configured server keeps no data. Name a folder: --data FOLDER.")
    }
    return path
  }

  /// Returns what the settings say of the folder and the socket; the others do not matter here.
  private static func options(of settings: [ServerSetting]) throws(UsageError) -> ServerOptions {
    try ServerOptions(
      settings.filter { [.port, .data, .admin, .cluster, .clusterFile].contains($0.option) },
      isWhole: false)
  }
}
