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

  /// Whether it can work on the engine of a cluster.
  var allowsRedis: Bool { takes("--cluster") }

  func takes(_ option: String) -> Bool {
    option == "-h" || options.contains { "--\($0.name)" == option }
  }

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
      case .archive:
        "[--follow [--listen HOST:PORT]] [--cluster URL | --cluster-file FILE] --data FOLDER"
      case .backup: "[--keep NUMBER] [--data FOLDER | --cluster URL | --cluster-file FILE]"
      case .restore: "[--data FOLDER | --cluster URL | --cluster-file FILE]"
      case .export, .verify, .check, .rebuild, .stats: "[--data FOLDER]"
      }
    return
      "tictactoe-server \(rawValue)\(takes("--repair") ? " [--repair]" : "")\(operand) \(options)"
  }

  /// The options that it takes, besides those of the server that `config` is about.
  var options: [OptionRow] {
    let configured = "that of the configured server"
    let data = OptionRow(
      "data", "FOLDER", "the data of the server", standard: configured,
      completion: .foldersOrNone)
    let engine = [
      OptionRow(
        "cluster", "URL",
        "the engine of a cluster: redis://HOST or redis+sentinel://HOST,HOST,HOST/NAME; with TLS,"
          + " rediss instead of redis", standard: self == .archive ? configured : nil),
      OptionRow(
        "cluster-file", "FILE", "the same with the URL in FILE, for a URL with a password",
        completion: .files),
    ]
    let configuration = OptionRow(
      "config", "FILE", "the configuration file of the server",
      standard: ConfigurationLocation.standardPath, completion: .filesOrNone)
    let own: [OptionRow] =
      switch self {
      case .export, .verify, .rebuild, .stats: [data, configuration]
      case .check:
        [
          data, configuration,
          OptionRow("repair", "keep what is whole", note: "; no server may run on FOLDER"),
        ]
      case .backup:
        [
          data, configuration,
          OptionRow(
            "keep", "NUMBER",
            "put the copy into a folder in TARGET that has the time as its name, and keep this many"
              + " of them"),
        ] + engine
      case .restore: [data, configuration] + engine
      case .archive:
        engine + [
          OptionRow(
            "data", "FOLDER", "the folder of the archive; no server may run on it",
            completion: .foldersOrNone),
          OptionRow(
            "follow",
            "run until SIGTERM: take each finished match as it ends, and remove it from the engine"
              + " once it is on the disk; a second follower stands by"),
          OptionRow(
            "listen", "HOST:PORT",
            "with --follow: give the nodes the matches that they ask for; all nodes have to reach"
              + " HOST, and nobody else should"),
          configuration,
        ]
      case .admin:
        [
          data, configuration,
          OptionRow(
            "socket", "PATH", "the operator's socket",
            standard: "\(AdminLocation.fileName) in FOLDER", completion: .files),
          OptionRow("all", "at all nodes of the cluster", note: ": \(AdminCommand.namesForAll)"),
          OptionRow("json", "write the lines of the reply as they are", note: ", each one object"),
        ]
      case .config: [configuration]
      }
    return own + [OptionRow("help", "show this help")]
  }

  var help: String {
    """
    Usage: \(usage)\(self == .admin ? " [--all] [--json]" : "")

    \(details)

    \(self == .admin ? "\(AdminTool.help)\n" : "")\
    \(options.help(textsAt: 17))
    Exit codes: \(exitCodes)

    """
  }

  private var exitCodes: String {
    switch self {
    case .admin:
      """
      0 good, 1 the server has refused the command, 64 wrong usage, 69 no server
      answers, 74 the output failed.
      """
    case .config:
      """
      0 good, 64 wrong usage, 74 the output failed, 78 the configuration has mistakes,
      which standard error names.
      """
    case .archive:
      """
      0 good, 64 wrong usage, 65 a match is damaged and was not copied, 69 the engine
      cannot be used, FOLDER is in use or SQLite is missing, 73 cannot write there, 74 reading or
      writing failed, 78 wrong --config. What was copied before a failure is kept, and the next run
      goes on.
      """
    case .export, .verify, .check, .backup, .restore, .rebuild, .stats:
      """
      0 good, 64 wrong usage, 65 damage, 66 no such match, file or folder, 69 FOLDER is in use or of
      an older server, or SQLite or the engine cannot be used, 73 cannot write there, 74 reading or
      writing failed.
      """
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
      may run. restore puts the copy in place of the data. With --keep, TARGET is a folder of
      copies: when the new one is on the disk, the oldest ones are removed. Of a cluster it copies
      accounts, ratings, results and bans, and no matches.
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
      what the archive does not have. With --follow it goes on, and the engine keeps none. export,
      verify and stats then work on FOLDER. Accounts, ratings and the latest results stay in the
      engine too.
      """
    case .admin:
      """
      Sends a command to a running server, and shows the reply. Only the user of the server and root
      may; with admin-read, a group may look. A server without data has a socket only with
      tictactoe-server --admin PATH.
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
    let output = ErrorOutput.ofProcess
    for warning in options.warnings { output.write(warning, .warning) }
    do {
      return try run(options)
    } catch {
      let failure = StartError(error, inToolOn: source(options), target: target(options))
      output.write(failure.sentence, .last)
      return failure.code
    }
  }
}

extension Tool {
  /// The folder whose files it reads.
  private func source(_ options: ToolOptions) -> String {
    self == .restore ? options.operand ?? "" : options.data
  }

  /// Where it writes.
  private func target(_ options: ToolOptions) -> String {
    self == .backup ? options.operand ?? "" : options.data
  }
}
