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

  /// Overwrites the user and the password of an engine's URL in the process's own arguments, which
  /// `ps` shows to everybody on the host.
  private static func hideCredentials() {
    ProcessArguments.forEachInMemory { argument in
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
      case .serve(let options): return serve(options, arguments)
      }
    } catch {
      return fail(error, help: "tictactoe-server --help")
    }
  }

  private static func serve(_ options: ServerOptions, _ arguments: [String]) -> ExitCode {
    do throws(ServerConfigurationError) {
      let configuration = try RunningConfiguration(arguments, options)
      return options.onlyChecks
        ? ConfigurationCheck.run(configuration.options) : ServerProgram.run(configuration)
    } catch {
      let code = fail(error)
      // Without a file, the options of the command line do not fit together.
      return options.configuration.path == nil ? .usage : code
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
    for sentence in error.sentences { StandardOutput.printError(sentence) }
    return .configuration
  }

  private static func fail(_ error: UsageError, help: String) -> ExitCode {
    StandardOutput.printError("\(error.message) To see the options, type: \(help)")
    return .usage
  }
}
