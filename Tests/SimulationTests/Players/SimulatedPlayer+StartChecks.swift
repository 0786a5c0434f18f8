import Shared

/// Checks the replies to the commands that ask for games.
extension SimulatedPlayer {
  func isStart(
    _ event: Event, with opponent: String?, _ game: String?, _ level: BotLevel?
  ) -> Bool {
    guard level == nil || opponent == Player.botName else { return event.code == .badField }
    switch place {
    case .outside: return event.code == .notLoggedIn
    case .waiting: return event.code == .alreadyWaiting
    case .watching: return event.code == .spectator
    case .playing: return isRematch(event, with: opponent, game, level)
    case .lobby: break
    }
    let game = game ?? opponent.flatMap { invitations[$0] } ?? Command.defaultGame
    guard GameInfo.all.contains(where: { $0.id == game }) else {
      return event.code == .unknownGame
    }
    guard let opponent else {
      return event.isStart(of: game, as: .o)
        || (event == .didQueue(game: game, opponent: nil)
          && invitations.filter { $0.value == game }.keys.allSatisfy(world.model.mayBeDelayed))
    }
    if opponent == Player.botName {
      return event.isStart(of: game, as: .x) && event.gameStart?.level == level ?? .hard
    }
    if event.isStart(of: game, as: .o) { return true }
    if invitations[opponent] == game { return false }
    switch event {
    case .didQueue(game, opponent: opponent, code: nil, _): return opponent != name
    case .error(.unknownPlayer, _, "opponent"?, _):
      return opponent == name || !world.isLoggedIn(opponent)
    case .error(.inMatch, _, "opponent"?, _), .error(.tooFast, _, "opponent"?, _): return true
    default: return false
    }
  }

  private func isRematch(
    _ event: Event, with opponent: String?, _ game: String?, _ level: BotLevel?
  ) -> Bool {
    guard let match, let other = match.opponent, !match.isRunning else {
      return event.code == .inMatch
    }
    if hasAskedForRematch { return event.code == .alreadyWaiting }
    guard opponent ?? other == other, game ?? match.game == match.game else {
      return event.code == .inMatch
    }
    if other == Player.botName {
      return event.isStart(of: match.game) && event.gameStart?.level == level ?? match.level
    }
    if invitations[other] != nil { return event.isStart(of: match.game) }
    return event == .didQueue(game: match.game, opponent: nil)
      || event.code == .tooFast
  }

  func isOpening(_ event: Event, of game: String?) -> Bool {
    if let isRefused = isRefusedOutsideLobby(event) { return isRefused }
    let game = game ?? Command.defaultGame
    guard GameInfo.all.contains(where: { $0.id == game }) else {
      return event.code == .unknownGame
    }
    if case .didQueue(game, opponent: nil, code: _?, expires: nil) = event { return true }
    return false
  }

  /// `LobbyModel` checks which codes are good.
  func isJoining(_ event: Event) -> Bool {
    if let isRefused = isRefusedOutsideLobby(event) { return isRefused }
    if let state = event.gameStart { return state.you == .o && state.players.o == name }
    return event.code == .unknownCode
  }

  /// Whether the reply is right for a player who is not in the lobby; `nil` for one who is.
  private func isRefusedOutsideLobby(_ event: Event) -> Bool? {
    switch place {
    case .outside: event.code == .notLoggedIn
    case .waiting: event.code == .alreadyWaiting
    case .playing: event.code == .inMatch
    case .watching: event.code == .spectator
    case .lobby: nil
    }
  }

  func isDecline(_ event: Event, of opponent: String?) -> Bool {
    guard place != .outside else { return event.code == .notLoggedIn }
    var opponent = opponent
    if opponent == nil {
      if place == .playing, let match, !match.isRunning {
        opponent = match.opponent
      } else {
        guard invitations.count < 2 else { return event.code == .missingField }
        opponent = invitations.keys.first
      }
    }
    guard let opponent, let game = invitations[opponent] else { return event.code == .notInvited }
    return event == .invitationDidEnd(from: opponent, game: game)
  }
}

extension Command {
  /// Whether the command is refused while the server lets its last games end.
  var mayBegin: Bool {
    switch self {
    case .start, .open, .join: true
    default: false
    }
  }
}
