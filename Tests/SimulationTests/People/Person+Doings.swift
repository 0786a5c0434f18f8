import Shared

/// What it does when it comes to think of it.
extension Person {
  func act() {
    guard !world.isFinishing else { return finish() }
    guard chance.int(1...1_000) > world.plan.mishaps else { return sufferMishap() }
    // Who waits for an answer mostly waits.
    guard wire?.isWaiting == false || chance.happens(10) else { return }
    switch place {
    case .outside: break
    case .lobby: strollInLobby()
    case .waiting where world.plan.mishaps > 0 && chance.happens(10): sufferMishap()
    case .waiting: pick([(8, .cancel), (3, .start(opponent: nil, game: nil)), (30, nil)])
    case .playing: play()
    case .watching: watch()
    }
  }

  /// Plays its last game to the end, and goes.
  private func finish() {
    guard let match, place == .playing, match.isRunning else {
      guard wire?.isWaiting == false else { return }
      return send(.quit)
    }
    placeIfOnTurn()
  }

  private func strollInLobby() {
    let somebody = world.somebody(but: name)
    pick([
      (40, .start(opponent: nil, game: nil)), (10, .start(opponent: "bot", game: nil)),
      (25, .start(opponent: somebody, game: nil)), (15, world.someMatch.map { .watch(match: $0) }),
      (2, .start(opponent: "nobody", game: nil)), (2, .start(opponent: name, game: nil)),
      (2, .start(opponent: nil, game: "chess")), (2, .place(Cell(row: 0, column: 0), seq: nil)),
      (2, .leave), (1, .resign), (2, .quit), (1, .login(name: name, password: nil)),
    ])
  }

  private func play() {
    guard let match else { return }
    guard match.isRunning else {
      return pick([
        (50, hasAsked ? nil : .start(opponent: nil, game: nil)), (6, .cancel), (5, .leave),
        (2, .start(opponent: "nobody", game: nil)), (1, .quit), (2, .resign),
        (2, .place(Cell(row: 0, column: 0), seq: nil)),
      ])
    }
    if match.seq == 1, chance.happens(world.plan.fickleness) { return send(.leave) }
    if chance.happens(80) { return placeIfOnTurn() }
    pick([
      (6, .place(Cell(row: chance.int(-1...3), column: chance.int(0...3)), seq: nil)),
      (4, .place(Cell(row: 1, column: 1), seq: chance.int(0...match.seq + 1))), (3, .resign),
      (1, .leave), (1, .quit), (2, .start(opponent: nil, game: nil)), (2, .cancel),
      (1, world.someMatch.map { .watch(match: $0) }),
    ])
  }

  private func placeIfOnTurn() {
    guard let match, let turn = match.board.turn, turn == match.you,
      wire?.isWaiting == false, let cell = chance.pick(match.board.freeCells)
    else { return }
    send(.place(cell, seq: chance.happens(30) ? match.seq : nil))
  }

  private func watch() {
    pick([
      (10, .leave), (2, .place(Cell(row: 0, column: 0), seq: nil)), (2, .resign),
      (2, .start(opponent: nil, game: nil)), (2, world.someMatch.map { .watch(match: $0) }),
      (1, .quit), (40, nil),
    ])
  }

  /// Does one of these, or something that can be done anywhere.
  private func pick(_ doings: [(Int, Command?)]) {
    let seq = match.map { chance.int(max(0, $0.seq - 6)...$0.seq + 1) }
    let anywhere: [(Int, Command?)] = [
      (3, .say("\(name) says \(world.nextNumber())")), (3, .sync(seq: seq)), (3, .sync(seq: nil)),
      (2, .list(.players)), (1, .list(.matches)), (1, .list(.games)), (2, .ping),
      (1, .help(.place)),
    ]
    if chance.happens(3) { return takeOver() }
    if match != nil, chance.happens(3) { return chatter() }
    guard let doing = chance.pick(weighted: doings + anywhere), let command = doing else { return }
    send(command)
  }
}
