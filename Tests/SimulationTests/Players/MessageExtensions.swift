import Shared

extension Command {
  /// The command as a person types it in netcat. `nil` if nobody types it, or if only `re` tells
  /// its reply from other events.
  var words: String? {
    switch self {
    case .start(let opponent?, let game?, let level):
      "start \(opponent) \(game) \(level?.rawValue ?? "")"
    case .start(let opponent, nil, nil): opponent.map { "start \($0)" } ?? "start"
    case .place(let cell, nil): "place \(cell.row) \(cell.column)"
    case .say(let text): "say \(text)"
    case .watch(let match): "watch \(match)"
    case .list(let what): "list \(what)"
    case .join(let code): "join \(code)"
    case .open(let game): game.map { "open \($0)" } ?? "open"
    case .decline(let opponent): opponent.map { "decline \($0)" } ?? "decline"
    case .history(let player, nil): player.map { "history \($0)" } ?? "history"
    case .leaderboard(let game): game.map { "leaderboard \($0)" } ?? "leaderboard"
    case .replay(let match, nil): "replay \(match)"
    case .board: "board"
    case .sync(nil), .cancel, .resign, .leave, .ping, .quit: type.rawValue
    case .login, .register, .unregister, .resume, .start, .place, .history, .replay, .sync, .help:
      nil
    }
  }
}

extension Event {
  /// The code of an `error`; otherwise `nil`.
  var code: ErrorCode? {
    guard case .error(let code, _, _, _) = self else { return nil }
    return code
  }

  /// The state with which a game starts; `nil` for other events.
  var gameStart: GameState? {
    guard case .match(let event) = self, case .gameDidStart(let state) = event.body else {
      return nil
    }
    return state
  }

  func isBye(_ expected: ByeCode) -> Bool {
    guard case .bye(let code, _, _, _) = self else { return false }
    return code == expected
  }

  /// Whether a game starts in which the receiver has this mark; `nil` is any mark.
  func isStart(of game: String, as mark: Mark? = nil) -> Bool {
    guard let state = gameStart else { return false }
    return state.game == game && (mark == nil || state.you == mark)
  }

  func isGameEnd(_ reason: Outcome.Reason, loser: Mark?) -> Bool {
    guard case .match(let event) = self, case .gameDidEnd(let outcome, _) = event.body else {
      return false
    }
    return outcome.reason == reason && outcome.winner == loser?.other
  }
}
