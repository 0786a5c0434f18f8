import Foundation
import Shared

@main
enum ServerMain {
  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    do throws(UsageError) {
      switch try ServerOptions.parse(arguments) {
      case .help: return StandardOutput.write(ServerOptions.help)
      case .tool(let tool, let arguments): return try tool.run(arguments)
      case .version: return StandardOutput.write("tictactoe-server \(Version.current)\n")
      case .serve(let options): return ServerProgram.run(options)
      }
    } catch {
      StandardOutput.printError(
        "\(error.message) To see the options, type: tictactoe-server --help")
      return .usage
    }
  }
}
