import Foundation
import Shared

@main
enum ClientMain {
  static func main() {
    StandardDescriptors.openClosed()
    exit(run().rawValue)
  }

  private static func run() -> ExitCode {
    do throws(UsageError) {
      switch try ClientOptions.parse(ProcessArguments.read()) {
      case .help: return StandardOutput.write(ClientOptions.help)
      case .version: return StandardOutput.write("tictactoe-client \(Version.current)\n")
      case .play(let settings): return play(settings)
      }
    } catch {
      StandardOutput.printError(
        "\(error.message) To see the options, type: tictactoe-client --help")
      return .usage
    }
  }

  private static func makeTLS(trusting caFile: String?) throws -> TLSContext {
    try TLSContext(trusting: caFile.map { TLSFile($0, of: "--tls-ca") })
  }

  private static func play(_ settings: [OptionSetting]) -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    do {
      let file = try ConfigurationFile(in: environment)?.read() ?? []
      let options = ClientOptions(OptionSetting.merge(settings, over: file))
      if let path = options.replayFile {
        let replay = try ReplayFile(path: path).read()
        return ClientProgram.run(options, replay: replay, environment: environment)
      }
      let password = options.isLocal ? nil : try PasswordFile.read(in: environment)
      if password != nil, let warning = PasswordFile.warning(in: environment) {
        StandardOutput.printError(warning)
      }
      let tls = options.usesTLS ? try makeTLS(trusting: options.caFile) : nil
      guard let command = options.command else {
        return ClientProgram.run(options, password: password, tls: tls, environment: environment)
      }
      let tokens = TokenFile(folder: UserFolder.state.path(in: environment))
      return ExecMode.run(command, options, password: password, tokens: tokens, tls: tls)
    } catch let error as SystemLibrary.MissingError {
      StandardOutput.printError(error.sentence)
      return .unavailable
    } catch let error as ReplayFileError {
      StandardOutput.printError(error.sentence)
      return error.code
    } catch {
      StandardOutput.printError((error as? ConfigurationError)?.message ?? "\(error)")
      return .configuration
    }
  }
}
