import Foundation
import Shared

/// Checks a configuration as far as that is possible beside a running server: nothing is changed.
enum ConfigurationCheck {
  /// How long the check waits for the engine of a cluster.
  private static let engineTimeout: Duration = .seconds(2)

  /// Writes that the configuration is good, or each reason why the server would not start with it.
  static func run(_ options: ServerOptions) -> ExitCode {
    let failures = failures(options) + [engineFailure(options)].compactMap { $0 }
    for failure in failures { ErrorOutput.ofProcess.write(failure.sentence, .last) }
    if let first = failures.first { return first.code }
    let files = options.configuration.files.formatted(.list(type: .and))
    return StandardOutput.write("\(files.isEmpty ? "The configuration" : files) is good.\n")
  }

  /// Returns each reason on this machine why a server would not start. With `isPassed` it gets its
  /// listening socket from a service manager.
  static func failures(_ options: ServerOptions, isPassed: Bool = false) -> [StartError] {
    [
      isPassed ? nil : failure(at: options.endpoint), options.metrics.flatMap(failure),
      dataFailure(options), adminFailure(options),
    ].compactMap { $0 }
  }

  private static func failure(at endpoint: Endpoint) -> StartError? {
    do throws(StartError) {
      _ = try Listening.addresses(endpoint, isFree: false)
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

  /// Checks the path of the operator's socket, and the folder that is to contain it. The server
  /// makes the data folder by itself.
  private static func adminFailure(_ options: ServerOptions) -> StartError? {
    let environment = ProcessInfo.processInfo.environment
    let data = options.data.path(port: options.port, environment)
    if let path = options.adminRead, let failure = adminFailure(path, "admin-read", data) {
      return failure
    }
    guard let path = options.admin.path(inData: data) else { return nil }
    return adminFailure(path, "admin", data)
  }

  /// Checks the path that an option has set, or that of `admin` in the data folder.
  private static func adminFailure(
    _ path: String, _ option: String, _ data: String?
  ) -> StartError? {
    do throws(StartError) {
      _ = try AdminLocation.address(path, option: option)
    } catch {
      return error
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
    guard access(folder, W_OK | X_OK) != 0 else { return nil }
    let dataFolder = data.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    if folder == dataFolder { return nil }
    return StartError(
      code: .cannotCreate,
      sentence: "The admin socket \(path) cannot be made: there is no folder \(folder), or it"
        + " cannot be written. To name another socket, or none, set \(option) = PATH.")
  }

  private static func engineFailure(_ options: ServerOptions) -> StartError? {
    guard let cluster = options.cluster else { return nil }
    do {
      let output = ErrorOutput.ofProcess
      let notes = try ClusterStart.check(
        cluster, on: try EventLoop(), random: RandomSource(), within: engineTimeout,
        tell: { output.write($0, .warning) })
      for note in notes { output.write(note, .warning) }
      return nil
    } catch let failure as StartError {
      return failure
    } catch {
      return StartError(code: .unavailable, sentence: "The engine cannot be checked: \(error).")
    }
  }

  private static func unusable(_ path: String, _ reason: String) -> StartError {
    StartError(
      code: .cannotCreate,
      sentence: "The data folder \(path) cannot be used: \(reason)."
        + " To use another one, set data = FOLDER.")
  }
}
