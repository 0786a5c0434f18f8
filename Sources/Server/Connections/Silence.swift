import Shared

/// When a client is sent away because nothing came from it. Input only notes its time here; one
/// timer looks after it when the earliest limit can be over, and not before.
struct Silence {
  /// Until when the client has to be logged in; `nil` where that does not matter (any more).
  private(set) var loginDeadline: Duration?
  /// When something came, at last.
  var lastInput: Duration
  private let idle: Duration?

  init(_ limits: ConnectionLimits, from now: Duration) {
    loginDeadline = limits.loginWithin.map { now + $0 }
    lastInput = now
    idle = limits.idle
  }

  /// When to look next; `nil` where there is nothing to wait for.
  var deadline: Duration? {
    guard let idle else { return loginDeadline }
    let idleDeadline = lastInput + idle
    return loginDeadline.map { min($0, idleDeadline) } ?? idleDeadline
  }

  /// For this connection that is for good: there is no way to log out but `quit`.
  mutating func didLogIn() { loginDeadline = nil }

  /// Why to send the client away now, if at all.
  func verdict(at now: Duration) -> ByeCode? {
    if let loginDeadline, loginDeadline <= now { return .loginTimeout }
    if let idle, lastInput + idle <= now { return .idle }
    return nil
  }
}
