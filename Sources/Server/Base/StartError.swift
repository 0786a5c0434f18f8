import Shared

/// The reason why the server cannot start.
struct StartError: Error, Equatable {
  let code: ExitCode
  /// A sentence for people that says what to do.
  let sentence: String
}
