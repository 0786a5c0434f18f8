import Shared

extension Event {
  /// Of an `error`.
  var code: ErrorCode? {
    guard case .error(let code, _, _, _) = self else { return nil }
    return code
  }

  func isBye(_ expected: ByeCode) -> Bool {
    guard case .bye(let code, _, _) = self else { return false }
    return code == expected
  }

  /// Of a game in which the receiver has any mark, or that one.
  func isGameStart(as mark: Mark? = nil) -> Bool {
    guard case .match(let event) = self, case .gameDidStart(let picture) = event.body else {
      return false
    }
    return mark == nil || picture.you == mark
  }

  func isGameEnd(_ reason: Outcome.Reason, loser: Mark?) -> Bool {
    guard case .match(let event) = self, case .gameDidEnd(let outcome, _) = event.body else {
      return false
    }
    return outcome.reason == reason && outcome.winner == loser?.other
  }
}
