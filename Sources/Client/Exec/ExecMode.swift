import Foundation
import Shared

/// The client without its tree: see `ExecProgram`.
enum ExecMode {
  /// Lets a command play as the options say, and returns the exit code of the process.
  static func run(
    _ command: String, _ options: ClientOptions, password: String?, tokens: TokenFile,
    tls: TLSContext?
  ) -> ExitCode {
    // Makes a closed pipe an error of `write`. A handler, because the child would inherit an
    // ignored signal.
    signal(SIGPIPE) { _ in }
    // The child must not inherit blocked signals from the program that started this one.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    do throws(SystemError) {
      let program = ExecProgram(
        command, password: password, address: options.address, tokens: tokens,
        loop: try EventLoop(), tls: tls)
      let report = try program.run()
      if let sentence = report.sentence { StandardOutput.printError(sentence) }
      return report.code
    } catch {
      StandardOutput.printError("The client cannot continue: \(error).")
      return .ioError
    }
  }
}
