/// The matches of a life that has ended, which this node knows best until others take them over.
final class FormerMatches {
  private let engine: any Redis
  private var matches: [OwnedMatch] = []
  private var life: Life?

  init(engine: any Redis) {
    self.engine = engine
  }

  /// A life has ended with these matches; `nil` if it had ended before.
  func add(_ matches: [OwnedMatch], of life: Life?) {
    self.matches += matches
    self.life = life ?? self.life
  }

  func removeAll() { matches = [] }

  /// Adds what an engine that was away has lost to their streams. Before the next life begins,
  /// because then others take the matches over. `done` is not called if the connection ends.
  func repair(then done: @escaping () -> Void) {
    guard !matches.isEmpty else { return done() }
    let all = matches
    var commands = RedisCommands()
    for match in all { match.addComparison(to: &commands) }
    engine.send(commands, confirmed: .never) { [weak self] replies in
      guard let self, var replies = replies?[...] else { return }
      matches = all.filter { $0.compare(with: &replies) && $0.hasLostEntries }
      repairNext(then: done)
    }
  }

  /// Sends one entry of each match, and compares again. An entry that is refused ends that.
  private func repairNext(then done: @escaping () -> Void) {
    guard !matches.isEmpty else { return done() }
    var commands = RedisCommands()
    // The others may have forgotten the life, when it had no matches in the engine.
    if let life { commands.add("SADD", "lives", life.text) }
    let sent = matches.map { (match: $0, reply: $0.addNext(to: &commands)) }
    engine.send(commands, confirmed: .now) { [weak self] replies in
      guard let self, let replies else { return }
      matches = sent.filter { !replies[$0.reply].isError }.map(\.match)
      repair(then: done)
    }
  }
}
