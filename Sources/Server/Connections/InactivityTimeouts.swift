import Shared

/// When a client is disconnected because it does not log in, or sends nothing. Input only notes its
/// time here; one timer fires when the earliest time-out can be over, and not before.
struct InactivityTimeouts {
  /// Until when the client has to log in; `nil` where it has, or need not.
  private(set) var loginDeadline: Duration?
  /// When something last came.
  var lastInput: Duration
  private let idle: Duration?

  init(_ limits: ConnectionLimits, from now: Duration) {
    loginDeadline = limits.loginWithin.map { now + $0 }
    lastInput = now
    idle = limits.idle
  }

  /// When the next time-out can be over; `nil` where there is none.
  var deadline: Duration? {
    guard let idle else { return loginDeadline }
    let idleDeadline = lastInput + idle
    return loginDeadline.map { min($0, idleDeadline) } ?? idleDeadline
  }

  /// Once for each connection: there is no way to log out but `quit`.
  mutating func didLogIn() { loginDeadline = nil }

  /// The time-out that is over, if any.
  func expired(at now: Duration) -> ByeCode? {
    if let loginDeadline, loginDeadline <= now { return .loginTimeout }
    if let idle, lastInput + idle <= now { return .idle }
    return nil
  }
}
