/// Decodes the lines of a server. Unknown fields are ignored; an unknown type is `Event.unknown`.
package struct EventDecoder {
  private var reader = JSONReader()

  package init() {}

  /// Decodes a line, without its LF.
  ///
  /// - Throws: `badJSON`, or an error that names the first field that is missing or bad. Such a
  ///   server does not follow the protocol.
  package mutating func decode(_ line: Span<UInt8>) throws(LineError) -> ReceivedEvent {
    reader.load(line)
    do { try reader.readObject(line) } catch { throw LineError(.badJSON) }
    let fields = JSONObject(reader)
    let type = EventType(rawValue: try fields.string("type"))
    return ReceivedEvent(
      re: try fields.requestIDIfPresent("re"), try Self.event(type, fields))
  }

  private static func event(
    _ type: EventType?, _ fields: JSONObject
  ) throws(LineError) -> Event {
    switch type {
    case .hello:
      .hello(try hello(fields))
    case .didLogin:
      .didLogin(
        name: try fields.name("name"), token: try fields.stringIfPresent("token"),
        place: try fields.choiceIfPresent("place"),
        registered: try fields.boolIfPresent("registered") ?? false)
    case .didRegister:
      .didRegister(name: try fields.name("name"))
    case .didUnregister:
      .didUnregister(name: try fields.name("name"))
    case .didQueue:
      .didQueue(
        game: try fields.string("game"), opponent: try fields.nameIfPresent("opponent"),
        code: try fields.stringIfPresent("code"), expires: try fields.durationIfPresent("expires"))
    case .didCancel:
      .didCancel(reason: try fields.choiceIfPresent("reason"))
    case .invited:
      .invited(
        from: try fields.name("from"), game: try fields.string("game"),
        expires: try fields.durationIfPresent("expires"))
    case .invitationDidEnd:
      .invitationDidEnd(from: try fields.name("from"), game: try fields.string("game"))
    case .announcement:
      .announcement(
        text: try fields.sentence("text"), timeLeft: try fields.durationIfPresent("left"))
    case .gameDidStart:
      .match(try match(fields, .gameDidStart(try fields.gameState())))
    case .boardDidChange:
      .match(
        try match(
          fields,
          .boardDidChange(try fields.change(), timeLeft: try fields.durationIfPresent("left"))))
    case .gameDidEnd:
      .match(try match(fields, .gameDidEnd(try fields.outcome(), try fields.score())))
    case .presenceDidChange:
      .match(
        try match(
          fields,
          .presenceDidChange(
            try fields.mark("mark"), online: try fields.bool("online"),
            grace: try fields.durationIfPresent("grace"))))
    case .matchDidEnd:
      .match(
        try match(
          fields,
          .matchDidEnd(
            try fields.choice("reason"), by: try fields.markIfPresent("by"), try fields.score())))
    case .didSay:
      .match(
        try match(
          fields,
          .didSay(
            from: try fields.name("from"), mark: try fields.markIfPresent("mark"),
            text: try fields.remark("text"))))
    case .spectatorsDidChange:
      .spectatorsDidChange(match: try fields.string("match"), count: try fields.count("count"))
    case .matchSnapshot:
      .matchSnapshot(try snapshot(fields))
    case .didLeave:
      .didLeave
    case .matches:
      .matches(try list(fields, Self.matchSummary))
    case .players:
      .players(try list(fields, Self.playerSummary))
    case .games:
      .games(try list(fields) { game throws(LineError) in try game.gameSummary() })
    case .history:
      .history(try historyPage(fields))
    case .leaderboard:
      .leaderboard(try leaderboard(fields))
    case .replayDidStart:
      .replayDidStart(
        ReplayHeader(
          match: try fields.string("match"), game: try fields.string("game"),
          players: try fields.players(), last: try fields.count("last")))
    case .replayDidEnd:
      .replayDidEnd(
        match: try fields.string("match"), next: try fields.countIfPresent("next"))
    case .pong:
      .pong
    case .help:
      .help(
        HelpEntry(
          command: try fields.string("command"), usage: try fields.string("usage"),
          example: try fields.string("example"), about: try fields.string("about")))
    case .error:
      // An unknown code of a newer server becomes the most general code. The message still explains
      // the error.
      .error(
        ErrorCode(rawValue: try fields.string("code")) ?? .internal,
        message: try fields.sentence("message"),
        field: try fields.stringIfPresent("field"), retry: try fields.durationIfPresent("retry"))
    case .bye:
      .bye(
        ByeCode(rawValue: try fields.string("code")) ?? .shutdown,
        message: try fields.sentence("message"),
        retry: try fields.durationIfPresent("retry"), to: address(fields))
    case nil:
      unknown(fields)
    }
  }

  private static func unknown(_ fields: JSONObject) -> Event {
    do {
      return .unknown(
        match: try fields.stringIfPresent("match"), seq: try fields.integerIfPresent("seq"))
    } catch {
      // In an unknown type, a field of this name can hold anything.
      return .unknown(match: nil, seq: nil)
    }
  }

  /// A bad address counts as a missing one, because the line still closes the connection.
  private static func address(_ fields: JSONObject) -> String? {
    do { return try fields.stringIfPresent("to") } catch { return nil }
  }

  private static func match(
    _ fields: JSONObject, _ body: MatchEvent.Body
  ) throws(LineError) -> MatchEvent {
    MatchEvent(match: try fields.string("match"), seq: try fields.seq(), body)
  }

  private static func hello(_ fields: JSONObject) throws(LineError) -> Hello {
    var games: [GameSummary] = []
    for game in try fields.objects("games") { games.append(try game.gameSummary()) }
    return Hello(
      protocolVersion: try fields.integer("protocol"), server: try fields.string("server"),
      games: games, limits: try limits(try fields.object("limits")),
      help: try fields.string("help"))
  }

  private static func limits(_ fields: JSONObject) throws(LineError) -> Limits {
    Limits(
      line: try fields.integer("line"), loginWithin: try fields.durationIfPresent("loginWithin"),
      resumeWithin: try fields.durationIfPresent("resumeWithin"),
      inviteWithin: try fields.durationIfPresent("inviteWithin"),
      turn: try fields.durationIfPresent("turn"), idle: try fields.durationIfPresent("idle"),
      perSecond: try fields.integerIfPresent("perSecond"),
      burst: try fields.integerIfPresent("burst"))
  }

  private static func snapshot(_ fields: JSONObject) throws(LineError) -> MatchSnapshot {
    let online = try fields.object("online")
    let isOver = try fields.bool("over")
    let state = try fields.gameState(isOver: isOver)
    let outcome = isOver ? try fields.outcome() : nil
    guard outcome?.line?.allSatisfy(state.board.shape.contains) ?? true else {
      throw LineError(.badField, field: "line")
    }
    return MatchSnapshot(
      match: try fields.string("match"), seq: try fields.seq(), state,
      online: PerMark(x: try online.bool("X"), o: try online.bool("O")),
      spectators: try fields.countIfPresent("spectators") ?? 0, outcome: outcome)
  }

  private static func list<Item>(
    _ fields: JSONObject, _ item: (JSONObject) throws(LineError) -> Item
  ) throws(LineError) -> Page<Item> {
    var items: [Item] = []
    for fields in try fields.objects("items") { items.append(try item(fields)) }
    return Page(items, more: try fields.countIfPresent("more") ?? 0)
  }

  private static func matchSummary(_ fields: JSONObject) throws(LineError) -> MatchSummary {
    MatchSummary(
      match: try fields.string("match"), game: try fields.string("game"),
      players: try fields.players(), isRunning: try fields.bool("running"),
      score: try fields.scoreIfPresent())
  }

  private static func playerSummary(_ fields: JSONObject) throws(LineError) -> PlayerSummary {
    PlayerSummary(
      name: try fields.name("name"), place: try fields.choice("place"),
      game: try fields.stringIfPresent("game"), rating: try fields.integerIfPresent("rating"))
  }

  private static func historyPage(_ fields: JSONObject) throws(LineError) -> HistoryPage {
    var items: [HistoryItem] = []
    for item in try fields.objects("items") {
      items.append(
        HistoryItem(
          id: try item.integer("id"), match: try item.string("match"),
          game: try item.string("game"), players: try item.players(),
          outcome: try item.outcome(), moves: try item.count("moves"),
          ago: try item.durationIfPresent("ago") ?? .zero))
    }
    return HistoryPage(items, next: try fields.integerIfPresent("next"))
  }

  private static func leaderboard(_ fields: JSONObject) throws(LineError) -> Leaderboard {
    var items: [LeaderboardItem] = []
    for item in try fields.objects("items") {
      items.append(
        LeaderboardItem(
          rank: try item.integer("rank"), name: try item.name("name"),
          rating: try item.integer("rating"),
          isProvisional: try item.boolIfPresent("provisional") ?? false,
          won: try item.count("won"), lost: try item.count("lost"), drawn: try item.count("drawn")))
    }
    return Leaderboard(game: try fields.string("game"), items)
  }
}
