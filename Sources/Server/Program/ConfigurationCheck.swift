import Foundation
import Shared

/// Checks a configuration as far as that is possible beside a running server: nothing is changed.
enum ConfigurationCheck {
  /// Writes that the configuration is good, or each reason why the server would not start with it.
  static func run(_ options: ServerOptions) -> ExitCode {
    let failures = [addressFailure(options), dataFailure(options)].compactMap { $0 }
    for failure in failures { StandardOutput.printError(failure.sentence) }
    if let first = failures.first { return first.code }
    return StandardOutput.write("\(options.configuration.path ?? "The configuration") is good.\n")
  }

  private static func addressFailure(_ options: ServerOptions) -> StartError? {
    do throws(StartError) {
      _ = try Listening.addresses(options, isFree: false)
      return nil
    } catch {
      return error
    }
  }

  /// Checks the folder, or the folder in which the server would make it.
  private static func dataFailure(_ options: ServerOptions) -> StartError? {
    let environment = ProcessInfo.processInfo.environment
    guard let path = options.data.path(port: options.port, environment) else { return nil }
    var url = URL(fileURLWithPath: path).standardizedFileURL
    while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
      url.deleteLastPathComponent()
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else { return unusable(path, "\(url.path) is not a folder") }
    guard access(url.path, W_OK | X_OK) == 0 else {
      return unusable(path, "\(url.path) cannot be written")
    }
    return nil
  }

  private static func unusable(_ path: String, _ reason: String) -> StartError {
    StartError(
      code: .cannotCreate,
      sentence: "The data folder \(path) cannot be used: \(reason)."
        + " To use another one, set data = FOLDER.")
  }
}
