import Shared

/// The time-outs of a client that does not log in or sends nothing. Input only sets `lastInput`;
/// one timer fires at the earliest `deadline`.
struct InactivityTimeouts {
  /// The time by which the client has to log in; `nil` if it has, or if there is no limit.
  private(set) var loginDeadline: Duration?
  /// The time of the last input.
  var lastInput: Duration
  private let idle: Duration?

  init(_ limits: ConnectionLimits, from now: Duration) {
    loginDeadline = limits.loginWithin.map { now + $0 }
    lastInput = now
    idle = limits.idle
  }

  /// The earliest end of a time-out; `nil` if there is none.
  var deadline: Duration? {
    guard let idle else { return loginDeadline }
    let idleDeadline = lastInput + idle
    return loginDeadline.map { min($0, idleDeadline) } ?? idleDeadline
  }

  /// Called once for each connection: a client can log out only with `quit`.
  mutating func didLogIn() { loginDeadline = nil }

  /// Returns the time-out that has expired; `nil` if none has.
  func expired(at now: Duration) -> ByeCode? {
    if let loginDeadline, loginDeadline <= now { return .loginTimeout }
    if let idle, lastInput + idle <= now { return .idle }
    return nil
  }
}
