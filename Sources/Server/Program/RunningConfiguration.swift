import Foundation
import Shared

/// The options that a server runs with: those of its configuration files and its environment, under
/// those of its command line.
struct RunningConfiguration {
  /// What `reload` has found.
  struct Changes: Equatable {
    /// The options that have another value now.
    var taken: [ServerOption] = []
    /// The options that have another value in the file, which only a restart takes up.
    var left: [ServerOption] = []
    /// Whether the configuration had a mistake before.
    var isCorrected = false

    /// Sentences for people.
    var sentences: [String] {
      let corrected = isCorrected ? ["The configuration has no mistake any more."] : []
      if taken.isEmpty, left.isEmpty {
        return corrected + [
          isCorrected ? "No option has changed." : "Nothing in the configuration has changed."
        ]
      }
      return corrected + Self.sentence("These options have changed", taken)
        + Self.sentence("These options change only with a restart of the server", left)
    }

    private static func sentence(_ words: String, _ options: [ServerOption]) -> [String] {
      options.isEmpty
        ? [] : ["\(words): \(options.map(\.rawValue).joined(separator: ", "))."]
    }
  }

  private let arguments: [String]
  /// What is below the command line.
  private(set) var file: [ServerSetting]
  private(set) var options: ServerOptions
  /// Why the server does not run with the files as they are: a sentence for each mistake that the
  /// start or the last reload has found. Empty if they are good.
  private(set) var mistakes: [String] = []
  /// The options that had another value at the last reload, which only a restart takes up.
  private(set) var optionsForRestart: [ServerOption] = []
  /// When the configuration was last read.
  private(set) var readAt = Date()

  /// Reads the file that the command line names, or the standard one, those beside it, and the
  /// environment. With a mistake in them, it takes up the settings of `lastGood`.
  ///
  /// - Throws: if there is a mistake, and nothing to take up.
  init(
    _ arguments: [String], _ commandLine: ServerOptions, lastGood: LastGoodConfiguration? = nil
  ) throws(ServerConfigurationError) {
    self.arguments = arguments
    (file, options) = ([], commandLine)
    do throws(ServerConfigurationError) {
      let read = try ServerConfiguration.settings(at: commandLine.configuration)
      options = try options(with: read)
      file = read
    } catch {
      guard error.code != .usage, takeUp(lastGood, because: error.sentences) else { throw error }
    }
  }

  /// Runs with the settings of `lastGood`, because the present ones have mistakes.
  ///
  /// - Returns: false if there are none, or they are those that it has.
  mutating func takeUp(_ lastGood: LastGoodConfiguration?, because mistakes: [String]) -> Bool {
    guard let settings = lastGood?.settings, let options = try? options(with: settings),
      options != self.options || file.isEmpty
    else { return false }
    (file, self.options, self.mistakes) = (settings, options, mistakes)
    return true
  }

  /// Reads the files again, and takes up all that a running server can. With a mistake in them
  /// nothing changes.
  ///
  /// - Throws: if there is a mistake.
  mutating func reload() throws(ServerConfigurationError) -> Changes {
    readAt = Date()
    do throws(ServerConfigurationError) {
      var changes = try changes()
      changes.isCorrected = !mistakes.isEmpty
      mistakes = []
      optionsForRestart = changes.left
      return changes
    } catch {
      mistakes = error.sentences
      throw error
    }
  }

  private mutating func changes() throws(ServerConfigurationError) -> Changes {
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
      throw ServerConfigurationError(
        sentences: [error.message], code: file.isEmpty ? .usage : .configuration)
    }
  }
}
