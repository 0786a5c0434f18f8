import Foundation
import Shared

/// The options of a tool.
struct ToolOptions: Equatable {
  /// The path of the data folder; empty for `admin`, unless it is named.
  let data: String
  /// The option that named the folder or the configuration file, as words for a shell with a space
  /// before them; empty without one.
  private(set) var location = ""
  var operand: String?
  var repairs = false
  /// Whether `archive` goes on until it is stopped.
  var follows = false
  /// Where a follower answers the nodes; `nil` if it does not.
  var place: RedisAddress.Place?
  /// How many backups are kept, for `backup`; `nil` if it makes a single one.
  var keep: Int?
  /// The line for the operator's socket, with its LF.
  var request: [UInt8] = []
  /// How long the server may take to reply, for `admin`.
  var timeout = Duration.zero
  /// The path of the operator's socket, for `admin`.
  var socket: String?
  /// The path of the one for reading; `nil` if none is configured, or a socket is named.
  var readingSocket: String?
  var isJSON = false
  /// The engine of the cluster, for `archive`; for `backup` and `restore` if they work on one.
  var engine: RedisAddress?
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
    var isForAll = false
    var configuration = ConfigurationLocation.standard
    while let argument = try reader.next() {
      switch argument {
      case .option(let name) where !tool.takes(name):
        throw UsageError("tictactoe-server \(tool.rawValue) has no option \(name).")
      case .option("--data"):
        let path = try reader.value(of: "--data")
        guard !path.isEmpty, path != "none" else { throw UsageError("--data takes a folder.") }
        data = path
        location = " --data \(ShellWord.quoted(path))"
      case .option("--config"):
        let value = try reader.value(of: "--config")
        configuration = try ConfigurationLocation(value)
        location = " --config \(ShellWord.quoted(value))"
      case .option("--repair"): repairs = true
      case .option("--follow"): follows = true
      case .option("--listen"): place = try Self.place(try reader.value(of: "--listen"))
      case .option("--socket"):
        let path = try reader.value(of: "--socket")
        guard !path.isEmpty else { throw UsageError("--socket takes the path of a socket.") }
        socket = path
      case .option("--json"): isJSON = true
      case .option("--all"): isForAll = true
      case .option("--keep"):
        let text = try reader.value(of: "--keep")
        guard let count = Int(text), Self.keepRange.contains(count) else {
          throw UsageError("--keep takes a number from 1 to 10000.")
        }
        keep = count
      case .option("--cluster"):
        try cluster.setRedis(to: try reader.value(of: "--cluster"), by: "--cluster")
      case .option("--cluster-file"):
        try cluster.setRedis(inFile: try reader.value(of: "--cluster-file"), by: "--cluster-file")
      case .option("--help"), .option("-h"): return nil
      case .option(let name): preconditionFailure("\(name) is in the table, and is not read.")
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
      (request, timeout) = try AdminTool.request(words, atAll: isForAll)
    } else if let wanted = tool.operand, wanted.isRequired, operand == nil {
      throw UsageError("\(wanted.name) is missing. The usage is: \(tool.usage).")
    }
    var mistakes: [String] = []
    let changesData = tool == .rebuild || tool == .restore || repairs
    func configured() throws(ServerConfigurationError) -> [ServerSetting] {
      if case .file(let path) = configuration, access(path, F_OK) != 0 {
        return try ServerConfiguration.settings(at: configuration, environment)
      }
      let read = ServerConfiguration(
        at: configuration, environment, readsEngine: tool != .admin)
      if let first = read.mistakes.first, changesData {
        throw ServerConfigurationError(
          sentences: [
            first,
            "To be sure of the folder, name it: --data FOLDER"
              + (tool.allowsRedis ? ", or the engine: --cluster URL" : ""),
          ])
      }
      mistakes = read.mistakes
      return read.settings
    }
    if tool == .archive {
      guard let data else { throw UsageError("--data is missing. The usage is: \(tool.usage).") }
      engine = try cluster.engine ?? Self.engine(in: configured())
      self.data = data
    } else if tool.allowsRedis {
      guard data == nil || cluster.engine == nil else {
        throw UsageError("Name a folder with --data or an engine, not both.")
      }
      var settings: [ServerSetting] = []
      if data == nil, cluster.engine == nil { settings = try configured() }
      engine = try cluster.engine ?? Self.engineIfPresent(in: settings)
      self.data = try engine != nil ? "" : data ?? Self.data(in: settings, environment)
      if tool == .restore, engine == nil, location.isEmpty { try checkIsMeant(settings) }
    } else if tool == .admin {
      self.data = data ?? ""
      // The help needs no server.
      if socket == nil, words.first != AdminCommand.help.rawValue {
        (socket, readingSocket) = try Self.sockets(data, environment, configured)
      }
    } else {
      self.data = try data ?? Self.data(in: configured(), environment)
    }
    if place != nil, !follows { throw UsageError("--listen works only with --follow.") }
    warnings = mistakes
  }

  /// Checks that a restore does not make a folder that nobody has named: the server may have
  /// another one.
  private func checkIsMeant(_ settings: [ServerSetting]) throws(UsageError) {
    guard !settings.contains(where: { $0.option == .data }), access(data, F_OK) != 0 else { return }
    throw UsageError(
      "No folder is named, and the default one, \(data), does not exist. Name the folder of the"
        + " server: --data FOLDER, or --config FILE.")
  }

  /// Returns the paths of the operator's socket, and of the one for reading.
  private static func sockets(
    _ data: String?, _ environment: [String: String], _ settings: () throws -> [ServerSetting]
  ) throws -> (all: String?, reading: String?) {
    if let data { return (AdminLocation.standard.path(inData: data), nil) }
    // The URL of a node's engine is the server's secret. Only that a node has no folder matters.
    let options = try options(
      of: settings().map {
        $0.option == .clusterFile
          ? ServerSetting(option: .data, value: "none", name: $0.name) : $0
      })
    let folder = options.data.path(port: options.port, environment)
    guard let path = options.admin.path(inData: folder) ?? options.adminRead else {
      throw UsageError("The configured server has no admin socket. Name one: --socket PATH.")
    }
    return (path, options.adminRead)
  }

  private static func place(_ text: String) throws(UsageError) -> RedisAddress.Place {
    guard let place = RedisAddress.Place(text[...], defaultPort: 0), place.port != 0 else {
      throw UsageError("--listen takes HOST:PORT or [IPV6]:PORT, not “\(text)”.")
    }
    return place
  }

  private static let keepRange = 1...10_000

  private static func engine(in settings: [ServerSetting]) throws -> RedisAddress {
    guard let engine = try engineIfPresent(in: settings) else {
      throw UsageError(
        "The configured server is no node of a cluster. Name the engine: --cluster URL, or"
          + " --cluster-file FILE.")
    }
    return engine
  }

  /// `nil` if the server is no node of a cluster.
  private static func engineIfPresent(in settings: [ServerSetting]) throws -> RedisAddress? {
    var cluster = ClusterSettings()
    for setting in settings {
      switch setting.option {
      case .cluster: try cluster.setRedis(to: setting.value, by: setting.name)
      case .clusterFile: try cluster.setRedis(inFile: setting.value, by: setting.name)
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
      settings.filter {
        [.port, .data, .admin, .adminRead, .cluster, .clusterFile].contains($0.option)
      },
      isWhole: false)
  }
}
