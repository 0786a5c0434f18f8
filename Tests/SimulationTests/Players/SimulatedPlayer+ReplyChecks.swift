import Shared

@testable import Server

/// Checks the reply to each command. Everything that the server sent before the reply has arrived,
/// so this player knows what the server knew.
extension SimulatedPlayer {
  func check(_ event: Event, repliesTo pending: PendingCommand) throws(ViolationError) {
    let command = pending.command
    if isRefusalOfAnybody(event, command) { return }
    if command.mayBegin, let since = world.drainsSince {
      if event.code == .shuttingDown || event.code == .badField { return }
      try require(pending.time <= since, "\(command) while the server drains: \(event)")
    }
    let isRight =
      switch command {
      case .ping: event == .pong
      case .help: if case .help = event { true } else { false }
      case .list(let what): try isList(event, of: what)
      case .login(let name, _): name == self.name ? isLogin(event) : isBadLogin(event)
      case .resume(let token, _): try isResumption(event, with: token)
      case .start(let opponent, let game, let level): isStart(event, with: opponent, game, level)
      case .open(let game): isOpening(event, of: game)
      case .join: isJoining(event)
      case .decline(let opponent): isDecline(event, of: opponent)
      case .cancel:
        switch place {
        case .waiting: event == .didCancel()
        case .playing:
          event.code == .notWaiting
            ? !hasAskedForRematch : event == .didCancel() && hasAskedForRematch
        case .outside: event.code == .notLoggedIn
        case .lobby, .watching: event.code == .notWaiting
        }
      case .place(let cell, let seq): isMove(event, to: cell, after: seq)
      case .resign: isResignation(event)
      case .leave:
        isLeave(event) ?? (event.code == (place == .outside ? .notLoggedIn : .notInMatch))
      case .quit: isLeave(event) ?? event.isBye(.quit)
      case .say(let text): isSaid(event, text)
      case .watch(let match): isWatch(event, match)
      case .sync(let seq): isSync(event, after: seq)
      // These players write JSON, which has no such command.
      case .board: false
      case .register, .unregister, .history, .leaderboard, .replay: event.code == .unavailable
      }
    try require(isRight, "\(command) at \(place), match \(String(describing: match)): \(event)")
    if case .leave = command, event == .didLeave { world.history[name]?.leaves -= 1 }
    if case .quit = command, place != .playing { world.history[name]?.leaves -= 1 }
    // The reply is the first of the repeated events.
    if case .sync(let seq?) = command, let match, event.code == nil, seq < match.seq {
      replay = Replay(next: seq + 1)
    }
  }

  private func isRefusalOfAnybody(_ event: Event, _ command: Command) -> Bool {
    guard let code = event.code else { return event.isBye(.flood) }
    switch code {
    case .tooFast:
      let limits = world.plan.settings.limits
      return limits.rate != nil || limits.address.linesPerSecond != nil
    case .full:
      switch command {
      case .start, .open, .join:
        let settings = world.plan.settings
        let isLimited = settings.maxMatches != nil || settings.limits.address.matches != nil
        return isLimited && place != .playing
      case .watch: return world.plan.settings.maxSpectators != nil
      default: return false
      }
    default: return false
    }
  }

  private func isList(_ event: Event, of what: Listing) throws(ViolationError) -> Bool {
    guard place != .outside else { return event.code == .notLoggedIn }
    switch (what, event) {
    case (.players, .players(let list)):
      let mine = list.items.filter { $0.name == name }
      try require(
        mine.map(\.place) == [place.listed]
          && Set(list.items.map(\.name)).count == list.items.count,
        "at \(place), but listed as \(list.items)")
      return true
    case (.matches, .matches(let list)):
      let mine = list.items.filter { $0.players.x == name || $0.players.o == name }
      guard place == .playing, let match else { return mine.isEmpty }
      return mine.map(\.match) == [match.id] && mine.map(\.isRunning) == [match.isRunning]
        && mine.map(\.players) == [match.players]
    case (.games, .games(let list)): return list.items.map(\.id) == GameInfo.all.map(\.id)
    default: return false
    }
  }

  private func isLogin(_ event: Event) -> Bool {
    switch event {
    case .didLogin(let name, _, nil, _): place == .outside && name == self.name
    case .error(.alreadyLoggedIn, _, _, _): place != .outside
    case .error(.nameTaken, _, _, _): place == .outside && world.mayBeLoggedIn(name)
    default: false
    }
  }

  /// For a name that is not allowed.
  private func isBadLogin(_ event: Event) -> Bool {
    event.code == (place == .outside ? .badName : .alreadyLoggedIn)
  }

  private func isResumption(_ event: Event, with token: String) throws(ViolationError) -> Bool {
    guard place == .outside else { return event.code == .alreadyLoggedIn }
    let isLatest = token == self.token
    // A token is valid once, and once more while the connection that used it is lost.
    guard isLatest || token == previousToken else { return event.code == .unknownToken }
    switch event {
    case .didLogin(let name, _, let place?, _):
      if let match, placeBeforeLoss == .playing, world.hasMatch(match.id) {
        try require(place == .playing, "resumed at \(place), but its match still runs")
      }
      return name == self.name
    case .error(.unknownToken, _, _, _):
      if !isLatest || tokenIsUncertain {
        if !wasAlone || !isLatest && tokenIsUncertain { return true }
      } else if oldConnection?.link.isServerEnded == false {
        return false
      }
      guard placeBeforeLoss == .playing, let match, world.hasMatch(match.id) else { return true }
      return false
    default: return false
    }
  }

  private func isMove(_ event: Event, to cell: Cell, after seq: Int?) -> Bool {
    switch place {
    case .outside: return event.code == .notLoggedIn
    case .lobby, .waiting: return event.code == .notInMatch
    case .watching: return event.code == .spectator
    case .playing: break
    }
    guard let match else { return false }
    guard match.isRunning else { return event.code == .noGame }
    if let seq {
      if seq > match.seq { return event.code == .stale }
      if let boardSeq = match.boardSeq {
        if seq < boardSeq { return event.code == .stale }
      } else if event.code == .stale {
        return true
      }
    }
    var board = match.board
    if board.turn == match.you, board.shape.contains(cell), board[cell] == nil,
      !board.openCells.contains(cell)
    {
      return event.code == .notOpen
    }
    do throws(MoveError) {
      guard let you = match.you else { return false }
      let change = try board.place(you, at: cell)
      guard case .match(let event) = event, case .boardDidChange(let told, _) = event.body else {
        return false
      }
      return told.placement == change.placement
    } catch {
      return event.code == ErrorCode(error)
    }
  }

  private func isResignation(_ event: Event) -> Bool {
    switch place {
    case .outside: return event.code == .notLoggedIn
    case .lobby, .waiting: return event.code == .notInMatch
    case .watching: return event.code == .spectator
    case .playing: break
    }
    guard let match, match.isRunning else { return event.code == .noGame }
    return event.isGameEnd(.resigned, loser: match.you)
  }

  /// `nil` if there is nothing to leave.
  private func isLeave(_ event: Event) -> Bool? {
    switch place {
    case .outside, .lobby, .waiting: return nil
    case .watching: return event == .didLeave
    case .playing: break
    }
    guard let match, !match.isRunning else { return event.isGameEnd(.left, loser: match?.you) }
    guard case .match(let event) = event, case .matchDidEnd(.left, let mark, _) = event.body else {
      return false
    }
    return mark == match.you
  }

  private func isSaid(_ event: Event, _ text: String) -> Bool {
    switch place {
    case .outside: return event.code == .notLoggedIn
    case .lobby, .waiting: return event.code == .notInMatch
    case .playing, .watching: break
    }
    guard case .match(let event) = event else { return event.code == .tooFast }
    let mark = place == .playing ? match?.you : nil
    return event.body == .didSay(from: name, mark: mark, text: text)
  }

  private func isWatch(_ event: Event, _ id: String) -> Bool {
    switch place {
    case .outside: return event.code == .notLoggedIn
    case .waiting: return event.code == .alreadyWaiting
    case .playing: return event.code == .inMatch
    case .watching: return event.code == .spectator
    case .lobby: break
    }
    guard case .matchSnapshot(let snapshot) = event else { return event.code == .unknownMatch }
    return snapshot.match == id
  }

  private func isSync(_ event: Event, after seq: Int?) -> Bool {
    switch place {
    case .outside: return event.code == .notLoggedIn
    case .lobby, .waiting: return event.code == .notInMatch
    case .playing, .watching: break
    }
    guard let match else { return false }
    switch event {
    case .matchSnapshot(let snapshot): return snapshot.match == match.id
    case .match(let event):
      return event.match == match.id && seq.map { $0 < match.seq && event.seq == $0 + 1 } ?? false
    default: return false
    }
  }
}

extension SimulatedPlayer.Place {
  fileprivate var listed: SessionPlace? {
    switch self {
    case .outside: nil
    case .lobby: .lobby
    case .waiting: .waiting
    case .playing: .playing
    case .watching: .watching
    }
  }
}
