import Shared

/// The requests of players for a match: to begin one, to join a friend, to decline, and to cancel.
extension Lobby {
  /// Checks whether `start`, `open` or `join` may begin a game. In a match, `start` needs no new
  /// match, but the next game needs room in the store as well.
  ///
  /// - Throws: `shuttingDown`; `full` if there is no room for one more match, or game.
  func checkStart(by session: Session?) throws(CommandError) {
    guard !isShuttingDown else { throw CommandError(.shuttingDown) }
    guard matches.storeHasRoom else { throw .storeFull }
    if case .playing = session?.place { return }
    guard matches.hasRoom else { throw .noRoom }
    guard let session, case .lobby = session.place, !session.usage.hasRoomForMatch else { return }
    throw CommandError(
      .full, "Your address has too many matches. Try again later.", retry: .seconds(5)
    )
  }

  /// Checks that a `start` with a level is against the bot.
  ///
  /// - Throws: `badField`.
  static func checkLevel(for opponent: String?) throws(CommandError) {
    guard opponent.flatMap(PlayerName.key(of:))?.text != Player.botName else { return }
    throw CommandError(
      .badField, field: "level", "level is only for the opponent bot. Type: start bot GAME LEVEL")
  }

  /// Asks for a game for a player who is in the lobby.
  ///
  /// Without a `game`, it is that of the opponent's invitation, or the default.
  ///
  /// - Throws: `unknownGame`, `unknownPlayer`, `inMatch` if the opponent is in a match, and
  ///   `tooFast` if the opponent has declined a moment ago, has unread messages, or has too many
  ///   invitations.
  func start(
    by session: Session, opponent: String?, game: String?, level: BotLevel? = nil
  ) throws(CommandError) {
    let key = opponent.flatMap(PlayerName.key(of:))
    let invitation = key.flatMap { session.invitation(from: $0) }
    let game = try self.game(game ?? invitation?.request.game.info.id)
    guard let opponent else { return try matchmaker.start(by: session, for: nil, game) }
    if key?.text == Player.botName {
      onPair(PerMark(x: session, o: nil), game, level ?? .hard)
      return
    }
    guard let named = self.session(named: opponent) else {
      throw CommandError(.unknownPlayer, field: "opponent")
    }
    guard named !== session else {
      throw CommandError(
        .unknownPlayer, field: "opponent",
        "You cannot play yourself. To see who else is here, type: list")
    }
    switch named.place {
    case .lobby, .waiting:
      try matchmaker.start(by: session, for: named, game)
    case .playing, .watching: throw .opponentInMatch(named.name.text)
    }
  }

  /// Whether a text may name a player of another node.
  func mayBeElsewhere(_ opponent: String) -> Bool {
    session(named: opponent) == nil && PlayerName.key(of: opponent)?.text != Player.botName
  }

  /// Lets a player in the lobby wait for a friend, who joins with a code.
  ///
  /// - Throws: `unknownGame`.
  func open(by session: Session, game: String?) throws(CommandError) {
    matchmaker.open(by: session, try self.game(game))
  }

  /// Checks that there were not too many unknown codes from an address.
  ///
  /// - Throws: `tooFast`.
  func checkJoinRate(of usage: AddressUsage) throws(CommandError) {
    guard let wait = usage.timeUntilJoin(at: timers.now) else { return }
    throw CommandError(
      .tooFast, "There were too many unknown codes from your address. Try again later.",
      retry: wait)
  }

  /// Lets a player in the lobby play with the player who has opened a code.
  ///
  /// - Throws: `unknownCode`.
  func join(by session: Session, code: String) throws(CommandError) {
    do {
      try matchmaker.join(by: session, code: code)
    } catch {
      session.usage.addUnknownCode(at: timers.now)
      throw error
    }
  }

  /// Returns the game with an id, or the default one.
  ///
  /// - Throws: `unknownGame`.
  func game(_ id: String?) throws(CommandError) -> Game {
    guard let game = games[id ?? Command.defaultGame] else {
      throw CommandError(.unknownGame, field: "game", games.refusal(of: id ?? ""))
    }
    return game
  }

  /// Declines an invitation to a new match. Without an `opponent`, it is the only one.
  ///
  /// - Throws: `notInvited` if it does not stand; `missingField` if several stand, but no
  ///   `opponent` is named.
  func decline(_ opponent: String?, by session: Session) throws(CommandError) {
    let invitation: Session.Invitation?
    if let opponent {
      invitation = PlayerName.key(of: opponent).flatMap { session.invitation(from: $0) }
    } else {
      guard session.incomingRequests.count < 2 else {
        throw CommandError(
          .missingField, field: "opponent",
          "Several players have invited you. Type: decline NAME")
      }
      invitation = session.incomingRequests.first.flatMap { session.invitation(from: $0.name.key) }
    }
    guard let invitation else { throw CommandError(.notInvited) }
    invitation.from.declines.add(session.number, at: timers.now)
    matchmaker.refuse(invitation.request, of: invitation.from, because: .declined)
  }

  /// Cancels the request of a waiting player.
  func cancel(_ request: PendingRequest, of session: Session) {
    matchmaker.withdraw(request, of: session)
    session.place = .lobby
    session.write(.didCancel())
  }
}

extension GameRegistry {
  /// The sentence for a person who asks for a game that there is not.
  fileprivate func refusal(of id: String) -> String {
    let ids = games.map(\.info.id)
    let quoted = id.quoted.map { " called \($0)" } ?? ""
    // A word that is left out in front of it: `start bot easy`.
    let level = BotLevel(rawValue: id.lowercased()).map {
      " The level of the bot comes after the game: start bot \(Command.defaultGame) \($0.rawValue)"
    }
    let likely = id.likely(among: ids).map { " Did you mean \($0)?" }
    return "There is no game\(quoted) here. The games are: \(ids.joined(separator: ", "))."
      + (level ?? likely ?? "")
  }
}
