import Shared

/// The options that a server runs with: those of its configuration file, under those of its command
/// line.
struct RunningConfiguration {
  /// What `reload` has found.
  struct Changes: Equatable {
    /// The options that have another value now.
    var taken: [ServerOption] = []
    /// The options that have another value in the file, which only a restart takes up.
    var left: [ServerOption] = []

    /// Sentences for people.
    var sentences: [String] {
      if taken.isEmpty, left.isEmpty { return ["Nothing in the configuration has changed."] }
      return Self.sentence("These options have changed", taken)
        + Self.sentence("These options change only with a restart of the server", left)
    }

    private static func sentence(_ words: String, _ options: [ServerOption]) -> [String] {
      options.isEmpty
        ? [] : ["\(words): \(options.map(\.rawValue).joined(separator: ", "))."]
    }
  }

  private let arguments: [String]
  private var file: [ServerSetting]
  private(set) var options: ServerOptions

  /// Reads the file that the command line names, or the standard one.
  ///
  /// - Throws: if the file has a mistake.
  init(_ arguments: [String], _ commandLine: ServerOptions) throws(ServerConfigurationError) {
    self.arguments = arguments
    file = try ServerConfiguration.settings(at: commandLine.configuration)
    options = commandLine
    options = try options(with: file)
  }

  /// Reads the file again, and takes up all that a running server can. With a mistake in the file
  /// nothing changes.
  ///
  /// - Throws: if the file has a mistake.
  mutating func reload() throws(ServerConfigurationError) -> Changes {
    let new = try ServerConfiguration.settings(at: options.configuration)
    _ = try options(with: new)
    let old = try options(with: file)
    var changes = Changes()
    var taken = file
    for option in ServerOption.allCases {
      let changed =
        file.filter { $0.option != option } + new.filter { $0.option == option }
      // An option may fit only together with others of the new file, as all of a cluster do.
      guard (try? options(with: changed)) != old else { continue }
      if option.needsRestart {
        changes.left.append(option)
      } else {
        changes.taken.append(option)
        taken = taken.filter { $0.option != option } + new.filter { $0.option == option }
      }
    }
    file = taken
    options = try options(with: file)
    return changes
  }

  private func options(
    with file: [ServerSetting]
  ) throws(ServerConfigurationError) -> ServerOptions {
    do throws(UsageError) {
      guard case .serve(let options) = try ServerOptions.parse(arguments, file: file) else {
        preconditionFailure("The command line does not ask for a server.")
      }
      return options
    } catch {
      throw ServerConfigurationError(sentences: [error.message])
    }
  }
}
