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
}

/// A configuration that cannot be used.
struct ServerConfigurationError: Error, Equatable {
  /// A sentence for each mistake.
  let sentences: [String]
}

/// The server's configuration file.
struct ServerConfiguration {
  let path: String

  /// Returns the settings in the file of a location; none without a file.
  ///
  /// - Throws: if the file cannot be read, or has a mistake.
  static func settings(
    at location: ConfigurationLocation
  ) throws(ServerConfigurationError) -> [ServerSetting] {
    guard let path = location.path else { return [] }
    return try ServerConfiguration(path: path).settings()
  }

  /// - Throws: if there is no file, or it has a mistake.
  func settings() throws(ServerConfigurationError) -> [ServerSetting] {
    let contents: Data?
    do throws(ConfigurationError) {
      contents = try file.contents()
    } catch {
      throw ServerConfigurationError(sentences: [error.message])
    }
    guard let contents else {
      throw ServerConfigurationError(
        sentences: ["There is no configuration file \(path). Check the path of --config."])
    }
    return try settings(in: contents)
  }

  /// Parses the contents of the file.
  ///
  /// - Throws: a sentence for each line with a mistake.
  func settings(in contents: Data) throws(ServerConfigurationError) -> [ServerSetting] {
    var settings: [ServerSetting] = []
    let errors = file.forEachLine(of: contents, repeatable: [ServerOption.trustProxy.rawValue]) {
      (key, value) throws(UsageError) in
      let setting = ServerSetting(option: try Self.option(key), value: value, name: key)
      _ = try ServerOptions([setting], isWhole: false)
      settings.append(setting)
    }
    guard errors.isEmpty else { throw ServerConfigurationError(sentences: errors.map(\.message)) }
    return settings
  }

  private var file: ConfigurationFile { ConfigurationFile(path: path, example: "port = 7777") }

  private static func option(_ key: String) throws(UsageError) -> ServerOption {
    if let option = ServerOption(rawValue: key) { return option }
    if ["config", "check-config", "help", "version"].contains(key) {
      throw UsageError("\(key) works only on the command line.")
    }
    let likely = key.likely(among: ServerOption.allCases.map(\.rawValue))
    throw UsageError(
      "There is no option “\(key)”. "
        + (likely.map { "Did you mean \($0)?" }
          ?? "To see all options, type: tictactoe-server --help"))
  }
}
