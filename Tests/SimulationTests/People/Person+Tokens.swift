import Shared

@testable import Server

/// Which tokens are good: the last, and the spent one while the connection is lost that it made.
extension Person {
  func noteTakeover() throws(Violation) {
    wasTakenOver = true
    try checkTakeover()
  }

  /// Notes what a session was taken up with; `nil`: a new one was begun.
  func noteReturn(with used: String?) throws(Violation) {
    hasUsedSpent = used != nil && used != token
    try checkTakeover()
  }

  /// Whichever of the two is heard of first.
  private func checkTakeover() throws(Violation) {
    try demand(
      !hasUsedSpent || !wasTakenOver, "a spent token takes over a connection that is alive")
  }

  func noteEndOfSession() {
    guard place != .outside else { return }
    if let token { usedTokens.append(token) }
    spentToken = nil
    noteDeadTokens()
  }

  /// Everybody may try those that are good no more.
  func noteDeadTokens() {
    let canBeLost = world.plan.mishaps > 0 || world.plan.settings.limits.idle != nil
    world.deadTokens += usedTokens.filter { $0 != spentToken || !canBeLost }
    usedTokens.removeAll { $0 != spentToken }
  }
}
