import Foundation
import Shared

@main
enum ServerMain {
  static func main() {
    StandardDescriptors.openClosed()
    exit(run().rawValue)
  }

  private static func run() -> ExitCode {
    do throws(UsageError) {
      let arguments = try ProcessArguments.read()
      hideCredentials()
      return run(arguments)
    } catch {
      return fail(error, help: "tictactoe-server --help")
    }
  }

  /// Overwrites the users and the passwords of an engine's URL in the process's own arguments,
  /// which `ps` shows to everybody on the host.
  private static func hideCredentials() {
    ProcessArguments.forEachInMemory { argument in
      for key in ["sentinel-user=", "sentinel-password="] {
        var rest = argument
        while let start = strstr(rest, key) {
          let value = start + key.utf8.count
          let length = strcspn(value, "&")
          memset(value, CInt(UInt8(ascii: "x")), length)
          rest = value + length
        }
      }
      guard let scheme = strstr(argument, "redis"),
        let slashes = strstr(scheme, "://"), let end = strrchr(slashes, CInt(UInt8(ascii: "@")))
      else { return }
      let start = slashes + 3
      memset(start, CInt(UInt8(ascii: "x")), end - start)
    }
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    do throws(UsageError) {
      switch try ServerOptions.parse(arguments) {
      case .help: return StandardOutput.write(ServerOptions.help)
      case .tool(let tool, let arguments): return run(tool, arguments)
      case .version: return StandardOutput.write("tictactoe-server \(Version.current)\n")
      case .serve(let options) where options.onlyChecks: return check(options, arguments)
      case .serve(let options):
        return heldOff(options.configuration) { serve(options, arguments) }
      }
    } catch {
      return heldOff(.nowhere) { fail(error, help: "tictactoe-server --help") }
    }
  }

  /// Runs a server, after a while if earlier starts have failed.
  private static func heldOff(
    _ location: ConfigurationLocation, _ run: () -> ExitCode
  ) -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    guard let holdOff = HoldOff(in: environment) else { return run() }
    let watched = location.files + (location.folder.map { [$0] } ?? [])
    guard holdOff.waitForStart(orChangeOf: watched, ServiceManager(environment)) else { return .ok }
    let code = run()
    holdOff.didEnd(with: code)
    return code
  }

  private static func serve(_ options: ServerOptions, _ arguments: [String]) -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    let lastGood = LastGoodConfiguration(in: environment)
    do throws(ServerConfigurationError) {
      var configuration = try RunningConfiguration(arguments, options, lastGood: lastGood)
      let isPassed = environment["LISTEN_FDS"] != nil
      // A host, a port, a folder or a socket that cannot work here is a mistake too.
      let failures = ConfigurationCheck.failures(configuration.options, isPassed: isPassed)
      var other = configuration
      if !failures.isEmpty, configuration.mistakes.isEmpty,
        other.takeUp(lastGood, because: failures.map(\.sentence)),
        ConfigurationCheck.failures(other.options, isPassed: isPassed).isEmpty
      {
        configuration = other
      }
      return ServerProgram.run(configuration, lastGood: lastGood)
    } catch {
      return fail(error)
    }
  }

  private static func check(_ options: ServerOptions, _ arguments: [String]) -> ExitCode {
    do throws(ServerConfigurationError) {
      return ConfigurationCheck.run(try RunningConfiguration(arguments, options).options)
    } catch {
      return fail(error)
    }
  }

  private static func run(_ tool: Tool, _ arguments: [String]) -> ExitCode {
    do {
      return try tool.run(arguments)
    } catch let error as UsageError {
      return fail(error, help: "tictactoe-server \(tool.rawValue) --help")
    } catch {
      return (error as? ServerConfigurationError).map(fail) ?? .configuration
    }
  }

  private static func fail(_ error: ServerConfigurationError) -> ExitCode {
    for sentence in error.sentences { ErrorOutput.ofProcess.write(sentence, .last) }
    return error.code
  }

  private static func fail(_ error: UsageError, help: String) -> ExitCode {
    // What is to be copied ends with its line.
    let separator = error.message.last.map(".?".contains) == true ? " " : "\n"
    ErrorOutput.ofProcess.write(
      "\(error.message)\(separator)To see the options, type: \(help)", .last)
    return .usage
  }
}
