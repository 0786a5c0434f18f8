import Shared

/// What the tree does when sessions and matches come from other servers, or go to them.
extension RootInteractor: OtherServersHost {
  var sessions: [Session] { lobby.allSessions }

  func list(_ what: Listing) -> Event { lobby.items(what) }

  func take(_ player: ArrivingPlayer, done: @escaping () -> Void) {
    lobby.take(player, done: done)
  }

  func follow(_ request: PendingRequest, of session: Session, by route: Route) {
    session.outlet?.reader?.follow(request, by: route)
  }

  func takeUp(_ stored: [StoredMatch]) -> [String] {
    recover(stored)
    return stored.map(\.id).filter { matches[$0] == nil }
  }

  /// A match has another owner. Its clients find it by resuming.
  func giveUp(match id: String) {
    guard let match = matches[id] else { return }
    for session in match.sessions {
      lobby.release(session, with: .bye(.shutdown, retry: .zero), isDropping: true)
    }
    detach(match)
  }

  func give(match id: String, to address: String) -> [Session] {
    guard let match = matches[id] else { return [] }
    var spectators: [Session] = []
    for session in match.sessions {
      if case .watching = session.place {
        spectators.append(session)
      } else {
        lobby.release(session, with: .moved(to: address))
      }
    }
    detach(match)
    finishDrainIfIdle()
    return spectators
  }

  func release(_ session: Session, to address: String) {
    lobby.release(session, with: .moved(to: address))
  }

  /// Nothing here may be told to anybody any more: other servers may have taken over the matches.
  func standDown() {
    connections.giveUpAll { [unowned self] in
      var random = random
      return .bye(.shutdown, retry: .milliseconds(Int.random(in: 0...1_000, using: &random)))
    }
    for match in matches.all { detach(match) }
    lobby.removeAllSessions()
  }

  private func detach(_ match: any Match) {
    if match.summary.isRunning { runningGames -= 1 }
    router?.detachMatch(match.id)
  }
}
