import Shared

/// The ends of sessions in the engine. A session must not be gone before the end of its match is
/// there: if this node died, whoever claims the match would have a player who cannot come back.
final class SessionEnds {
  /// Whether a match of a session has ended, and the engine does not have that yet.
  var isEnding: (_ matchOfSession: String) -> Bool = { _ in false }
  private let outbox: RedisOutbox
  /// Those that wait for the ends of their matches, by the ids of the sessions.
  private var waiting: [String: PlayerName] = [:]

  init(outbox: RedisOutbox) {
    self.outbox = outbox
  }

  /// A session has ended, or has never begun.
  func add(_ id: String, of name: PlayerName) {
    guard !isEnding(id) else { return waiting[id] = name }
    outbox.post(.endSession, [name.key.text, id])
  }

  /// The end of a match of these sessions is stored.
  func matchDidEnd(of ids: [String]) {
    for id in ids where !isEnding(id) {
      if let name = waiting.removeValue(forKey: id) { add(id, of: name) }
    }
  }

  /// Some matches are somebody else's, and so are their sessions.
  func didLoseMatches() { waiting = waiting.filter { isEnding($0.key) } }
}
