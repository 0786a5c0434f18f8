import Shared

/// The meanings of the keys.
extension OffGameScene {
  var footer: [KeyHelp] {
    if offer != nil { return [KeyHelp("y", "yes"), KeyHelp("any other key", "no")] }
    if !isConnected { return [KeyHelp("Ctrl-C", "quit"), KeyHelp("?", "keys")] }
    if code != nil { return [KeyHelp("Enter", "play"), KeyHelp("Esc", "cancel")] }
    if isChoosingGame {
      return [KeyHelp("arrows", "choose"), KeyHelp("Enter", "play this"), KeyHelp("Esc", "back")]
    }
    if filter != nil {
      return [KeyHelp("arrows", "choose"), KeyHelp("Enter", "go"), KeyHelp("Esc", "show all")]
    }
    var keys = status.isWaiting ? [KeyHelp("Esc", "stop waiting")] : []
    if !invitations.isEmpty { keys += [KeyHelp("a", "accept"), KeyHelp("d", "decline")] }
    if canChangeGame { keys.append(KeyHelp("g", "games")) }
    if canPlayNext, invitations.isEmpty { keys.append(KeyHelp("n", "next game")) }
    keys += [KeyHelp("arrows", "choose"), KeyHelp("Enter", "go")]
    if canFilter { keys.append(KeyHelp("/", "find")) }
    keys.append(KeyHelp("q", isInMatch ? "leave" : "quit"))
    if canSeeArchive { keys += [KeyHelp("h", "history"), KeyHelp("r", "ranking")] }
    return keys + [KeyHelp("?", "keys")]
  }

  var keys: [KeyHelp] {
    var keys = [
      KeyHelp("arrows, j k", "choose what to do"),
      KeyHelp("PageUp, PageDown", "go up or down a page"),
      KeyHelp("Home, End", "go to the first or the last entry"), KeyHelp("Enter, Space", "do it"),
      KeyHelp("mouse", "do what you click on"),
    ]
    if canFilter { keys.append(KeyHelp("/", "find a player or a match; Esc shows all again")) }
    if status.isWaiting { keys.append(KeyHelp("Esc", "stop waiting")) }
    if !invitations.isEmpty {
      keys += [KeyHelp("a", "accept the invitation"), KeyHelp("d", "decline it")]
    }
    if canPlayNext { keys.append(KeyHelp("n", "play the next game of the match")) }
    if canMeetFriend {
      keys += [
        KeyHelp("f", "play with a friend, who gets a code"), KeyHelp("c", "enter a friend's code"),
      ]
    }
    if canChangeGame { keys.append(KeyHelp("g", "choose another game")) }
    if status == .lobby { keys.append(KeyHelp("l", "choose the bot's level")) }
    if canSeeArchive {
      keys += [
        KeyHelp("h", "show finished games"), KeyHelp("r", "show the ranking of the players"),
      ]
    }
    if let nameStatus, status == .lobby {
      keys.append(
        KeyHelp("p", nameStatus.isRegistered ? "change your password" : "register your name"))
      if nameStatus.isRegistered { keys.append(KeyHelp("u", "give your registered name up")) }
    }
    return keys + [
      KeyHelp(
        "q", isWatching ? "stop watching" : isInMatch ? "leave the match" : "end the program")
    ]
  }

  /// Whether a key asks for the next game of the match.
  private var canPlayNext: Bool {
    if case .betweenGames(_, hasAsked: false) = status { true } else { false }
  }

  private var canMeetFriend: Bool { status == .lobby && !isLocal }

  /// Whether finished games can be seen. In a match, the keys belong to the match.
  private var canSeeArchive: Bool { !isLocal && !isInMatch }

  private var canChangeGame: Bool { chosenGame != nil && status == .lobby }

  /// Whether there are people or matches to find.
  var canFilter: Bool { status == .lobby && !(others.isEmpty && watchable.isEmpty) }
}

/// Pressing keys.
extension OffGameScene {
  /// What the client says about a key that needs the server.
  private static let noConnection =
    "There is no connection to the server now. Wait, or press Ctrl-C to end the program."

  /// Returns the action of the key, if there is one, and whether the key has a meaning here. `size`
  /// is the size of the screen, for mouse clicks and pages.
  mutating func press(
    _ key: Key, in size: Size, at now: Duration = .zero
  ) -> (action: OffGameAction?, isUsed: Bool) {
    let before = self
    let result = pressConnected(key, in: size)
    switch result.action {
    case nil, .quit, .choose, .chooseLevel: break
    case .start, .cancelAndStart, .open, .join, .decline, .watch, .replay, .cancel, .leave,
      .listPlayers, .listMatches, .account, .history, .leaderboard:
      guard isConnected else {
        self = before
        offer = nil
        say(Self.noConnection, at: now)
        return (nil, true)
      }
    }
    // The program asks before it quits, and may go on.
    if status == .lobby, result.isUsed, result.action != .quit { hasGoneOn = true }
    return result
  }

  private mutating func pressConnected(
    _ key: Key, in size: Size
  ) -> (action: OffGameAction?, isUsed: Bool) {
    if let offer {
      self.offer = nil
      return (key == .character("y") ? .watch(offer.match) : nil, true)
    }
    if code != nil { return pressInCode(key) }
    if filter != nil, let result = pressInFilter(key) { return result }
    switch key {
    case .up, .backTab, .scrollUp, .character("k"): move(by: -1)
    case .down, .tab, .scrollDown, .character("j"): move(by: 1)
    case .pageUp: move(by: 1 - max(2, listRows(in: size)))
    case .pageDown: move(by: max(2, listRows(in: size)) - 1)
    case .home: if let first = items.first { select(first) }
    case .end: if let last = items.last { select(last) }
    case .enter, .character(" "): return (choose(), true)
    case .character("a"):
      guard let currentInvitation else { return (nil, false) }
      return (accept(currentInvitation), true)
    case .character("d"):
      guard let currentInvitation else { return (nil, false) }
      return (.decline(currentInvitation.from), true)
    case .character("n") where canPlayNext: return (start(against: .anyone), true)
    case .character("f") where canMeetFriend: return (.open, true)
    case .character("c") where canMeetFriend: enterCode()
    case .press(let position):
      guard let item = item(at: position, in: size) else { return (nil, true) }
      select(item)
      return (action(of: item), true)
    case .escape where isChoosingGame: switchGameList()
    case .escape: return (status.isWaiting ? .cancel : nil, true)
    case .character("/"):
      guard canFilter else { return (nil, false) }
      filter = TextField()
    case .character("g"):
      guard canChangeGame else { return (nil, false) }
      switchGameList()
    case .character("l"): return chooseNextLevel()
    case .character("h") where canSeeArchive: return (.history(.mine), true)
    case .character("r") where canSeeArchive: return (.leaderboard(gameID: nil), true)
    case .character("p") where nameStatus != nil && status == .lobby:
      return (.account(.setPassword), true)
    case .character("u") where nameStatus?.isRegistered == true && status == .lobby:
      return (.account(.unregister), true)
    case .character("q") where isChoosingGame: switchGameList()
    case .character("q"): return (isInMatch ? .leave : .quit, true)
    default: return (nil, false)
    }
    return (nil, true)
  }

  private mutating func enterCode() {
    code = TextField(maxLength: ProtocolLimits.codeLength)
  }

  /// Edits the code of a friend, and joins with Enter.
  private mutating func pressInCode(_ key: Key) -> (action: OffGameAction?, isUsed: Bool) {
    switch key {
    case .escape: code = nil
    case .enter:
      guard let text = code?.text.trimmed, !text.isEmpty else { break }
      code = nil
      return (.join(text), true)
    case .character(" "): break
    default: _ = code?.press(key)
    }
    return (nil, true)
  }

  /// Edits the filter. Returns `nil` for the keys that move in the list.
  private mutating func pressInFilter(_ key: Key) -> (action: OffGameAction?, isUsed: Bool)? {
    switch key {
    case .escape: filter = nil
    case .backspace where filter?.text.isEmpty == true: filter = nil
    case .up, .down, .tab, .backTab, .pageUp, .pageDown, .scrollUp, .scrollDown, .enter, .press:
      return nil
    default: _ = filter?.press(key)
    }
    return (nil, true)
  }

  /// Chooses the selected item. If nothing is selected, the key only selects. While the person
  /// waits, it does not even select, so that pressing Enter twice does not cancel the start of the
  /// first press.
  private mutating func choose() -> OffGameAction? {
    if let selection { return action(of: selection) }
    if !status.isWaiting { move(by: 0) }
    return nil
  }

  private mutating func accept(_ invitation: Invitation) -> OffGameAction? {
    if case .betweenGames = status { return start(against: .anyone) }
    return start(against: .player(invitation.from))
  }

  private mutating func action(of item: OffGameItem) -> OffGameAction? {
    switch item {
    case .player(let name):
      guard let match = match(of: name) else { return start(against: .player(name)) }
      offer = WatchOffer(player: name, match: match.match)
      return nil
    case .accept(let name, _): return start(against: .player(name))
    case .anyone, .nextGame: return start(against: .anyone)
    case .bot: return start(against: .bot)
    case .game(let id):
      switchGameList()
      chosen = id
      return .choose(gameID: id)
    case .friend: return .open
    case .enterCode:
      enterCode()
      return nil
    case .watch(let match): return .watch(match)
    case .cancel: return .cancel
    case .leaveMatch: return .leave
    }
  }

  /// Starts a game, unless another start is still waiting for its reply.
  private mutating func start(against opponent: Opponent) -> OffGameAction? {
    guard request == nil else { return nil }
    request = opponent
    if case .waiting = status { return .cancelAndStart(opponent) }
    return .start(opponent)
  }

  /// Shows the games, with the chosen one selected, or the lobby again, with nothing selected.
  private mutating func switchGameList() {
    isChoosingGame.toggle()
    if isChoosingGame, let chosenGame { select(.game(chosenGame.id)) }
  }

  private mutating func chooseNextLevel() -> (action: OffGameAction?, isUsed: Bool) {
    guard status == .lobby else { return (nil, false) }
    let levels = BotLevel.allCases
    level = levels[((levels.firstIndex(of: level) ?? 0) + 1) % levels.count]
    return (.chooseLevel(level), true)
  }
}
