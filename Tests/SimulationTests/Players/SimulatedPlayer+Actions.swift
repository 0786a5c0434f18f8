import Shared

/// A player's random actions, and the faults of its connection.
extension SimulatedPlayer {
  func act() {
    guard !world.isFinishing else { return finish() }
    guard random.int(1...1_000) > world.plan.faultsPerThousand else { return injectFault() }
    // A player who waits for a reply seldom acts.
    guard connection?.isWaiting == false || random.happens(percent: 10) else { return }
    switch place {
    case .outside: break
    case .lobby: actInLobby()
    case .waiting where world.plan.faultsPerThousand > 0 && random.happens(percent: 10):
      injectFault()
    case .waiting:
      pick([
        (6, .cancel), (3, .start(opponent: nil, game: nil)), (2, .open(game: nil)),
        (2, world.someCode.map { .join(code: $0) }), (30, nil),
      ])
    case .playing: play()
    case .watching: watch()
    }
  }

  /// Plays the running game to its end, and quits.
  private func finish() {
    guard let match, place == .playing, match.isRunning else {
      guard connection?.isWaiting == false else { return }
      return send(.quit)
    }
    placeIfOnTurn()
  }

  private func actInLobby() {
    let other = world.freePlayer(except: name) ?? world.randomPlayer(except: name)
    let game = world.someGame
    let level = random.pick([nil, .easy, .medium, .hard] as [BotLevel?]) ?? nil
    if random.happens(percent: 3) { return guessCodes() }
    // Accepting an invitation, with its game or without.
    let inviting = random.pick(invitations.keys.sorted())
    let isSociable = world.plan.isSociable
    pick(
      [
        (isSociable ? 4 : 36, .start(opponent: nil, game: game)),
        (10, .start(opponent: "bot", game: game, level: level)),
        (isSociable ? 80 : 24, .start(opponent: other, game: game)),
        (30, declinedBy.map { .start(opponent: $0, game: game) }),
        (25, hasDeclined.map { .start(opponent: $0, game: game) }),
        (20, inviting.map { .start(opponent: $0, game: nil) }),
        (4, inviting.map { .start(opponent: $0, game: game) }),
        (isSociable ? 60 : 6, inviting.map { .decline(opponent: $0) }),
        (10, .open(game: game)), (20, world.someCode.map { .join(code: $0) }),
        (15, world.someMatch.map { .watch(match: $0) }),
      ] + misplaced)
  }

  /// What the server refuses in the lobby, and the ends of sessions.
  private var misplaced: [(Int, Command?)] {
    [
      (2, .start(opponent: "nobody", game: nil)), (2, .start(opponent: name, game: nil)),
      (2, .start(opponent: nil, game: "chess")), (1, .open(game: "chess")),
      (1, .start(opponent: world.randomPlayer(except: name), game: nil, level: .easy)),
      (2, .place(Cell(row: 0, column: 0), seq: nil)), (2, .leave), (1, .resign), (2, .quit),
      (1, .login(name: name, password: nil)),
    ]
  }

  /// Declines an invitation, by name or without, or one that nobody made.
  private var decline: Command? {
    .decline(opponent: random.pick([nil, nil, world.randomPlayer(except: name)] + named) ?? nil)
  }

  private var named: [String?] { invitations.keys.sorted() + invitations.keys.sorted() }

  /// Tries more codes than the server allows.
  private func guessCodes() {
    for _ in 0..<random.int(5...15) { send(.join(code: "22222\(random.int(2...9))")) }
  }

  private func play() {
    guard let match else { return }
    guard match.isRunning else {
      return pick([
        (50, hasAskedForRematch ? nil : .start(opponent: nil, game: nil)), (6, .cancel),
        (8, hasAskedForRematch ? nil : .start(opponent: match.opponent, game: match.game)),
        (5, .start(opponent: "bot", game: nil, level: random.pick([.easy, .hard]))),
        (5, .leave), (1, .open(game: nil)), (2, .start(opponent: nil, game: world.someGame)),
        (2, .start(opponent: "nobody", game: nil)), (1, .quit), (2, .resign),
        (2, .place(Cell(row: 0, column: 0), seq: nil)),
      ])
    }
    if match.seq == 1, random.happens(percent: world.plan.earlyLeavePercent) { return send(.leave) }
    if random.happens(percent: 80) { return placeIfOnTurn() }
    let shape = match.board.shape
    pick([
      (
        6,
        .place(
          Cell(row: random.int(-1...shape.rows), column: random.int(0...shape.columns)), seq: nil)
      ), (6, random.pick(match.board.freeCells).map { .place($0, seq: nil) }),
      (4, .place(Cell(row: 1, column: 1), seq: random.int(0...match.seq + 1))), (3, .resign),
      (1, .leave), (1, .quit), (2, .start(opponent: nil, game: nil)), (2, .cancel),
      (1, world.someMatch.map { .watch(match: $0) }),
    ])
  }

  private func placeIfOnTurn() {
    guard let match, let turn = match.board.turn, turn == match.you,
      connection?.isWaiting == false, let cell = world.someCell(of: match.board)
    else { return }
    send(.place(cell, seq: random.happens(percent: 30) ? match.seq : nil))
  }

  private func watch() {
    pick([
      (10, .leave), (2, .place(Cell(row: 0, column: 0), seq: nil)), (2, .resign),
      (2, .start(opponent: nil, game: nil)), (2, world.someMatch.map { .watch(match: $0) }),
      (1, .quit), (40, nil),
    ])
  }

  /// Sends one of these commands, or one that is allowed everywhere.
  private func pick(_ commands: [(Int, Command?)]) {
    let seq = match.map { random.int(max(0, $0.seq - 6)...$0.seq + 1) }
    let anywhere: [(Int, Command?)] = [
      (3, .say("\(name) says \(world.nextNumber())")), (3, .sync(seq: seq)), (3, .sync(seq: nil)),
      (2 + 6 * invitations.count, decline),
      (invitations.count > 1 ? 90 : 0, .decline(opponent: nil)),
      (2, .list(.players)), (1, .list(.matches)), (1, .list(.games)), (2, .ping),
      (1, .help(.command(.place))),
    ]
    if random.happens(percent: 3) { return takeOver() }
    if match != nil, random.happens(percent: 3) { return floodChat() }
    guard let choice = random.pick(weighted: commands + anywhere), let command = choice else {
      return
    }
    send(command)
  }
}

/// Faults of the connection, and misbehaviour of the client.
extension SimulatedPlayer {
  func injectFault() {
    guard let connection else { return }
    let delay = random.duration(.zero...Duration.seconds(20))
    switch random.int(1...13) {
    case 1, 2: connection.link.cut(client: .zero, server: .zero)
    case 3: connection.link.cut(client: .zero, server: delay)
    case 4: connection.link.cut(client: delay, server: .zero)
    case 5:
      connection.link.cut(client: delay, server: random.duration(.zero...Duration.seconds(20)))
    case 6: connection.endInput()
    case 7, 8: stopReading(for: delay)
    case 9, 10: overfillOutput()
    case 11: flood()
    case 12: sendInvalidLines()
    default: takeOver()
    }
    note("mishap", connection.link)
  }

  /// Takes over its own session on a second connection.
  func takeOver() {
    guard let connection, token != nil, oldConnection == nil, isLoggedIn, !connection.hasEndedInput
    else { return }
    note("takes over", connection.link)
    oldConnection = connection
    noteLoss(of: connection)
    connect()
  }

  private func stopReading(for delay: Duration) {
    guard let connection else { return }
    connection.isReading = false
    connection.allowedByes.insert(.tooSlow)
    world.network.after(delay) { [weak connection] in connection?.isReading = true }
  }

  /// Requests more output than it reads.
  private func overfillOutput() {
    stopReading(for: random.duration(.zero...Duration.seconds(20)))
    for _ in 0..<random.int(40...80) { send(.help(nil)) }
    connection?.allowedByes.insert(.flood)
  }

  private func flood() {
    for _ in 0..<random.int(20...400) { send(.ping) }
    connection?.allowedByes.insert(.flood)
  }

  /// Sends more remarks than the limit allows.
  func floodChat() {
    for _ in 0..<random.int(15...30) { send(.say("\(name) says \(world.nextNumber())")) }
    connection?.allowedByes.insert(.flood)
  }

  /// Sends lines that the server cannot read.
  private func sendInvalidLines() {
    guard let connection else { return }
    if random.happens(percent: 50) {
      connection.allowedByes.insert(.lineTooLong)
      connection.send(line: String(repeating: "x", count: 5_000))
    } else {
      connection.send(line: "{\"type\":\"place\",\"row\":")
      connection.send(line: "\u{1}\"' place")
    }
  }
}
