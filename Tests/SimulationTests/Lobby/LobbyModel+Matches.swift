import Shared

/// How matches begin and end, and who watches them.
extension LobbyModel {
  /// The time between two numbers of spectators.
  private static let countInterval: Duration = .seconds(1)

  func begin(
    _ event: MatchEvent, _ state: GameState, told name: String, answering command: Command?
  ) throws(ViolationError) {
    let players = state.players
    if event.seq > matches[event.match]?.lastStart ?? 0 {
      let (x, o) = (people[players.x], people[players.o])
      if event.seq == 1 {
        try require(matches[event.match] == nil, "\(event.match) begins twice")
        beginnings[event.match] = Beginning(x: x?.request, o: o?.request)
        matches[event.match] = Match(game: state.game, players: players, lastStart: 1)
      }
      matches[event.match]?.lastStart = event.seq
      for (player, other) in [(players.x, players.o), (players.o, players.x)]
      where player != Player.botName {
        try require(
          event.seq > 1 || people[player]?.place.isFree == true,
          "\(player) is at \(people[player]?.place as Any), but a match begins")
        people[player]?.place = .playing(event.match)
        people[player]?.hasAsked = false
        people[player]?.told.remove(other)
        if event.seq == 1 { people[player]?.toldCount = 0 }
      }
    }
    guard event.seq == 1, let beginning = beginnings[event.match] else { return }
    if players.o == Player.botName {
      try checkBotMatch(state, beginning, command)
    } else if name == players.o {
      try check(state, beginning, command)
    }
  }

  private func checkBotMatch(
    _ state: GameState, _ beginning: Beginning, _ command: Command?
  ) throws(ViolationError) {
    try require(beginning.x == nil, "a player who waits plays against the bot")
    guard case .start(let opponent, let game, let level)? = command else { return }
    count("bot \(state.game) \(level?.rawValue ?? "")")
    try require(
      opponent == Player.botName && state.game == game ?? Command.defaultGame
        && state.level == level ?? .hard, "\(command as Any) begins \(state)")
  }

  /// Checks that both players wanted this match. `command` is that of O, who did not wait or waited
  /// less.
  private func check(
    _ state: GameState, _ beginning: Beginning, _ command: Command?
  ) throws(ViolationError) {
    guard let x = beginning.x else {
      throw ViolationError("\(state.players.x) plays, but has not waited")
    }
    let (nameX, nameO) = (state.players.x, state.players.o)
    let what = "\(state.players) play \(state.game), X after \(x), O after \(command as Any)"
    try require(
      x.game == state.game && x.opponent ?? nameO == nameO && state.level == nil, what)
    if let o = beginning.o {
      return try require(
        o.game == x.game && o.opponent ?? nameX == nameX && o.code == nil && x.code == nil
          && x.since <= o.since, "\(what), who has waited: \(o)")
    }
    switch command {
    case .join(let code):
      count("joined")
      try require(x.code == code.lowercased(), what)
    case .start(let opponent, let game, _):
      let invited = opponent != nil && x.opponent == nameO ? x.game : Command.defaultGame
      if opponent != nil, game == nil, invited != Command.defaultGame { count("game of invited") }
      try require(
        x.code == nil && opponent ?? nameX == nameX && game ?? invited == x.game, what)
    default:
      try require(
        x.code == nil
          || hasInWords(people[nameO]?.link) { if case .join = $0 { true } else { false } }, what)
    }
    if let code = x.code { usedCodes.append(code) }
  }

  func endMatch(_ id: String) {
    guard let match = matches.removeValue(forKey: id) else { return }
    for name in people.keys.sorted() {
      switch people[name]?.place {
      case .playing(id):
        people[name]?.told.remove(match.opponent(of: name))
        people[name]?.hasAsked = false
        people[name]?.place = .lobby
        if people[name]?.link == nil { end(name) }
      case .watching(id): people[name]?.place = .lobby
      default: break
      }
    }
  }

  func take(_ snapshot: MatchSnapshot, by name: String) throws(ViolationError) {
    if people[name]?.place == .lobby {
      people[name]?.place = .watching(snapshot.match)
      noteWatcher(name)
    }
    try require(
      people[name]?.place.match == snapshot.match, "\(name) gets a snapshot of another match")
    let count = spectators(of: snapshot.match)
    try require(
      snapshot.spectators == count, "\(snapshot.spectators) watch \(snapshot.match), not \(count)")
    people[name]?.toldCount = count
  }

  /// The player begins or ends to watch a match.
  func noteWatcher(_ name: String) {
    if case .watching(let match)? = people[name]?.place { matches[match]?.hasNewCount = true }
  }

  private func spectators(of match: String) -> Int {
    people.count { $0.value.place == .watching(match) }
  }

  func tell(_ told: Int, of id: String, to name: String) throws(ViolationError) {
    try require(people[name]?.place.match == id, "\(name) is told of spectators of \(id)")
    let count = spectators(of: id)
    try require(told == count, "\(told) watch \(id), not \(count)")
    people[name]?.toldCount = count
    let last = matches[id]?.lastCount
    if last?.time == now { return try require(last?.count == count, "two numbers at once") }
    // Somebody who has come back gets the number at any time.
    if people[name]?.returnedAt == now { return self.count("repeated spectators") }
    try require(
      last.map { now - $0.time >= Self.countInterval } ?? true,
      "the number of spectators of \(id) comes after \(last?.time as Any), at \(now)")
    self.count("spectators")
    noteCount(count, of: id)
  }

  private func noteCount(_ count: Int, of id: String) {
    matches[id]?.lastCount = (count, now)
    matches[id]?.hasNewCount = false
  }

  /// Everybody in the match knows the number that was sent last, and that is the latest one or not
  /// older than a second.
  func checkSpectators(of id: String, _ match: Match) throws(ViolationError) {
    guard hasMatch(id) else {
      matches[id] = nil
      return
    }
    let count = spectators(of: id)
    let present = people.filter { $0.value.place.match == id && $0.value.link != nil }
    if match.hasNewCount, match.lastCount.map({ now - $0.time >= Self.countInterval }) ?? true {
      try require(
        present.isEmpty, "\(count) watch \(id), but told was \(match.lastCount as Any) at \(now)")
      // The server has sent it to nobody.
      noteCount(count, of: id)
    }
    guard let match = matches[id], match.lastCount != nil else { return }
    for (name, person) in present {
      try require(
        match.hasNewCount ? person.toldCount != nil : person.toldCount == count,
        "\(name) was told that \(person.toldCount as Any) watch \(id), not \(count)")
    }
  }
}

extension LobbyModel.Place {
  /// Whether a match can begin for the player.
  var isFree: Bool {
    switch self {
    case .lobby, .waiting: true
    case .playing, .watching: false
    }
  }

  /// The match that the player plays or watches.
  fileprivate var match: String? {
    switch self {
    case .lobby, .waiting: nil
    case .playing(let match), .watching(let match): match
    }
  }
}
