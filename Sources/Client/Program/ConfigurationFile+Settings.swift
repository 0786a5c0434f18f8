import Foundation
import Shared

/// The client's configuration file: one option in a line, by its long name without the dashes.
extension ConfigurationFile {
  /// The file of this user; `nil` if the environment names no folder.
  init?(in environment: [String: String]) {
    guard let folder = UserFolder.configuration.path(in: environment) else { return nil }
    self.init(path: folder + "/config")
  }

  init(path: String) {
    self.init(path: path, example: "name = ann")
  }

  /// Returns the settings in the file; none if there is no file.
  ///
  /// - Throws: if the file cannot be read, or at the first line that is not valid.
  func read() throws(ConfigurationError) -> [OptionSetting] {
    try settings(in: contents() ?? Data())
  }

  /// Parses the contents of a file.
  ///
  /// - Throws: at the first line that is not valid.
  func settings(in contents: Data) throws(ConfigurationError) -> [OptionSetting] {
    var settings: [OptionSetting] = []
    let errors = forEachLine(of: contents) { (name, value, _) throws(UsageError) in
      let added = try Self.option(named: name).settings(for: value, named: name)
      try OptionSetting.check(added, with: settings)
      settings += added
    }
    if let first = errors.first { throw first }
    return settings
  }

  private static func option(named name: String) throws(UsageError) -> ClientOption {
    if let option = ClientOption(rawValue: name), ClientOption.ofFile.contains(option) {
      return option
    }
    let others = ClientOptions.commandLine.map(\.name)
    if others.contains(name) || ClientOption(rawValue: name) != nil {
      throw UsageError("\(name) works only on the command line.")
    }
    let names = ClientOption.ofFile.map(\.rawValue)
    throw UsageError(
      "There is no option “\(name)”. "
        + (name.likely(among: names).map { "Did you mean \($0)?" }
          ?? "The options are: \(names.joined(separator: ", "))."))
  }
}
