import Foundation
import Shared

/// Where the configuration file of the server is.
enum ConfigurationLocation: Equatable {
  static let standardPath = "/etc/tictactoe-server.conf"

  /// The standard file, if there is one.
  case standard
  case file(String)
  case nowhere

  /// Parses the value of `--config`.
  ///
  /// - Throws: if it is empty.
  init(_ value: String) throws(UsageError) {
    guard !value.isEmpty else { throw UsageError("--config takes a file, or none.") }
    self = value == "none" ? .nowhere : .file(value)
  }

  /// The file; `nil` if none is wanted, or there is no standard one.
  var path: String? {
    switch self {
    case .standard: access(Self.standardPath, F_OK) == 0 ? Self.standardPath : nil
    case .file(let path): path
    case .nowhere: nil
    }
  }

  /// The folder with further files; `nil` if no file is wanted. There may be no such folder.
  var folder: String? {
    switch self {
    case .standard: "\(Self.standardPath).d"
    case .file(let path): "\(path).d"
    case .nowhere: nil
    }
  }

  /// The file, and then the files `*.conf` of the folder, by their names. A later file wins over an
  /// earlier one.
  var files: [String] {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
    let others = names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    return (path.map { [$0] } ?? []) + others.map { "\(folder ?? "")/\($0)" }
  }
}

/// A configuration that cannot be used.
struct ServerConfigurationError: Error, Equatable {
  /// A sentence for each mistake.
  let sentences: [String]
  /// `.usage` if the mistake is on the command line.
  var code = ExitCode.configuration
}

/// The server's configuration below the command line: the files, and the environment, which wins
/// over them.
struct ServerConfiguration: Equatable {
  /// The file in the state folder with the configuration of the last good start.
  static let lastGoodName = "last-good.conf"

  /// Those of the lines and variables that have no mistake.
  private(set) var settings: [ServerSetting] = []
  /// A sentence for each mistake.
  private(set) var mistakes: [String] = []

  /// Reads the files of a location, and the environment. `readsEngine`: whether the file with the
  /// URL of the engine is read too. systemd gives that file only to the server itself.
  init(
    at location: ConfigurationLocation,
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    readsEngine: Bool = true
  ) {
    for path in location.files {
      add(ServerConfigurationFile(path: path, readsEngine: readsEngine).read())
    }
    add(EnvironmentSettings.read(environment, readsEngine: readsEngine))
  }

  /// Returns the settings of a location and of the environment.
  ///
  /// - Throws: if a file cannot be read, or there is a mistake.
  static func settings(
    at location: ConfigurationLocation,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ServerConfigurationError) -> [ServerSetting] {
    let configuration = ServerConfiguration(at: location, environment)
    guard configuration.mistakes.isEmpty else {
      throw ServerConfigurationError(sentences: configuration.mistakes)
    }
    return configuration.settings
  }

  private mutating func add(_ winners: (settings: [ServerSetting], mistakes: [String])) {
    settings = settings.replaced(by: winners.settings)
    mistakes += winners.mistakes
  }
}

/// One configuration file of the server.
struct ServerConfigurationFile {
  let path: String
  /// See `ServerConfiguration`.
  var readsEngine = true

  /// Returns what the file sets, and a sentence for each mistake.
  func read() -> (settings: [ServerSetting], mistakes: [String]) {
    do throws(ConfigurationError) {
      if let contents = try file.contents() { return settings(in: contents) }
      return ([], ["There is no configuration file \(path). Check the path of --config."])
    } catch {
      return ([], [error.message])
    }
  }

  /// Parses the contents of the file.
  func settings(in contents: Data) -> (settings: [ServerSetting], mistakes: [String]) {
    var settings: [ServerSetting] = []
    let repeatable = Set(ServerOption.allCases.filter(\.isRepeatable).map(\.rawValue))
    let errors = file.forEachLine(of: contents, repeatable: repeatable) {
      (key, value, line) throws(UsageError) in
      let setting = ServerSetting(
        option: try Self.option(key), value: value, name: key, source: .file(path, line: line))
      try setting.check(readsEngine: readsEngine)
      settings.append(setting)
    }
    return (settings, errors.map(\.message))
  }

  private var file: ConfigurationFile { ConfigurationFile(path: path, example: "port = 7777") }

  private static func option(_ key: String) throws(UsageError) -> ServerOption {
    if let option = ServerOption(rawValue: key) { return option }
    if ServerOptions.commandLine.contains(where: { $0.name == key }) {
      throw UsageError("\(key) works only on the command line.")
    }
    let likely = key.likely(among: ServerOption.allCases.map(\.rawValue))
    throw UsageError(
      "There is no option “\(key)”. "
        + (likely.map { "Did you mean \($0)?" }
          ?? "To see all options, type: tictactoe-server --help"))
  }
}

/// The options in the environment, for containers: `TICTACTOE_MAX_MATCHES=500` is `max-matches`.
enum EnvironmentSettings {
  static func variable(of option: ServerOption) -> String {
    "TICTACTOE_\(option.rawValue.uppercased().replacing("-", with: "_"))"
  }

  /// An empty variable counts as none. So does an address of a service that Kubernetes or Docker
  /// puts into `TICTACTOE_PORT` if a service has the name tictactoe.
  static func read(
    _ environment: [String: String], readsEngine: Bool = true
  ) -> (settings: [ServerSetting], mistakes: [String]) {
    var result: (settings: [ServerSetting], mistakes: [String]) = ([], [])
    for option in ServerOption.allCases {
      let name = variable(of: option)
      guard let text = environment[name], !text.isEmpty, !text.hasPrefix("tcp://") else { continue }
      let values = option.isRepeatable ? text.split(separator: ",").map { "\($0)".trimmed } : [text]
      for value in values {
        let setting = ServerSetting(
          option: option, value: value, name: name, source: .environment)
        do throws(UsageError) {
          try setting.check(readsEngine: readsEngine)
          result.settings.append(setting)
        } catch {
          result.mistakes.append(error.message)
        }
      }
    }
    return result
  }
}
