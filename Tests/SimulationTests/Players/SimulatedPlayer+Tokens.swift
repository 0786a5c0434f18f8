import Shared

@testable import Server

/// Tracks which tokens are valid: the latest one, and the previous one while the connection that
/// used it is lost.
extension SimulatedPlayer {
  func noteTakeover() throws(ViolationError) {
    wasTakenOver = true
    try checkTakeover()
  }

  /// Records the token that resumed the session; `nil` is a new session.
  func noteReturn(with used: String?) throws(ViolationError) {
    hasUsedPreviousToken = used != nil && used != token
    try checkTakeover()
  }

  /// Called by both, since either can come first.
  private func checkTakeover() throws(ViolationError) {
    try require(
      !hasUsedPreviousToken || !wasTakenOver, "a spent token takes over a connection that is alive")
  }

  func noteEndOfSession() {
    guard place != .outside else { return }
    if let token { usedTokens.append(token) }
    previousToken = nil
    noteDeadTokens()
  }

  /// Every player may try tokens that are no longer valid.
  func noteDeadTokens() {
    let canBeLost = world.plan.faultsPerThousand > 0 || world.plan.settings.limits.idle != nil
    world.deadTokens += usedTokens.filter { $0 != previousToken || !canBeLost }
    usedTokens.removeAll { $0 != previousToken }
  }
}
