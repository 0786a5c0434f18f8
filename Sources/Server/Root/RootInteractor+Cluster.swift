import Shared

/// What the tree does when sessions and matches come from other nodes, or go to them.
extension RootInteractor {
  func join(_ cluster: Cluster) {
    cluster.sessions.own = { [unowned self] in lobby.allSessions }
    cluster.sessions.onArrival = { [unowned self] in lobby.take($0, id: $1, done: $2) }
    cluster.requests.onMatch = { session, request, route in
      session.connection?.follow(request, by: route)
    }
    cluster.lists.own = { [unowned self] in lobby.items($0) }
    cluster.onClaim = { [unowned self] in
      recover($0)
      return $0.map(\.id).filter { matches[$0] == nil }
    }
    cluster.onFence = { [unowned self] in giveUp($0) }
    cluster.onStandDown = { [unowned self] in standDown() }
  }

  /// A match has another owner. Its clients find it by resuming.
  private func giveUp(_ id: String) {
    guard let match = matches[id] else { return }
    for session in match.sessions {
      lobby.release(session, with: .bye(.shutdown, retry: .zero), isDropping: true)
    }
    detach(match)
  }

  /// Nothing here may be told to anybody any more: other nodes may have taken over the matches.
  private func standDown() {
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
