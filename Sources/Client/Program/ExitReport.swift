import Shared

/// How the program ends: an exit code, and a sentence unless all went well.
struct ExitReport: Equatable {
  let code: ExitCode
  /// Printable, because it may quote a server.
  let sentence: String?

  init(code: ExitCode, sentence: String? = nil) {
    self.code = code
    self.sentence = sentence?.printable
  }
}
