import Shared

/// Checks what a client is told of invitations.
enum InvitationCheck {
  /// A stranger is told once of each invitation that begins or ends. Returns a sentence about the
  /// first line for which that is not so.
  static func fault(in heard: [UInt8]) -> String? {
    var decoder = EventDecoder()
    var standing: Set<String> = []
    var players: [String] = []
    for line in heard.split(separator: 0x0A) {
      switch (try? decoder.decode(Array(line).span))?.event {
      case .didLogin: standing = []
      case .invited(let from, _, _):
        guard standing.insert(from).inserted else {
          return "A stranger is invited again by \(from)."
        }
      case .invitationDidEnd(let from, _):
        guard standing.remove(from) != nil else { return "An invitation of \(from) ends again." }
      case .matchSnapshot(let snapshot):
        players = [snapshot.state.players.x, snapshot.state.players.o]
      case .match(let event):
        if case .gameDidStart(let state) = event.body {
          players = [state.players.x, state.players.o]
        }
        switch event.body {
        // The next game accepts an invitation, and the end of a match ends it without a line.
        case .gameDidStart, .matchDidEnd: standing.subtract(players)
        default: break
        }
      default: break
      }
    }
    return nil
  }
}
