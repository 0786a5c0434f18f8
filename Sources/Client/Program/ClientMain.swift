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

  private static func makeTLS(_ options: ClientOptions) throws -> TLSContext? {
    guard options.usesTLS else { return nil }
    return try TLSContext(trusting: options.caFile.map { TLSFile($0, of: "--tls-ca") })
  }

  private static func play(_ settings: [OptionSetting]) -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    do {
      var options = ClientOptions(settings)
      if let address = options.web {
        return WebProgram.run(options, at: address, tls: try makeTLS(options))
      }
      if options.isKiosk {
        options.launchAction = try SSHSession(in: environment).launchAction ?? options.launchAction
        // A visitor can reach no file, and no password of this account.
        return ClientProgram.run(
          ClientContext(options: options, environment: environment, tls: try makeTLS(options)))
      }
      let file = try ConfigurationFile(in: environment)?.read() ?? []
      options = ClientOptions(OptionSetting.merge(settings, over: file))
      if let path = options.replayFile {
        let replay = try ReplayFile(path: path).read()
        return ClientProgram.run(
          ClientContext(options: options, environment: environment, replay: replay))
      }
      let password = options.isLocal ? nil : try PasswordFile.read(in: environment)
      if password != nil, let warning = PasswordFile.warning(in: environment) {
        StandardOutput.printError(warning)
      }
      let tls = try makeTLS(options)
      guard let command = options.command else {
        return ClientProgram.run(
          ClientContext(
            options: options, environment: environment, filePassword: password, tls: tls))
      }
      let tokens = TokenFile(folder: UserFolder.state.path(in: environment))
      return ExecMode.run(command, options, password: password, tokens: tokens, tls: tls)
    } catch let error as UsageError {
      StandardOutput.printError(error.message)
      return .usage
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
