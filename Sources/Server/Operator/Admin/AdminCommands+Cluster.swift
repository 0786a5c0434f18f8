import Shared

/// What the operator does at all nodes of a cluster.
extension AdminCommands {
  func observe(_ cluster: Cluster) {
    cluster.operator.onChange = { [weak self] record in
      self?.moderation.replace(with: record)
      self?.enforceBans()
    }
    cluster.operator.onOrder = { [weak self] order in
      if let text = order.announcement { self?.lobby.announce(text) }
      if let name = order.kick { _ = self?.kickHere(name, because: order.reason) }
    }
  }

  /// Disconnects a player of another node.
  func kick(
    _ name: String, because reason: String?, in cluster: Cluster,
    answer: @escaping (Result<AdminReply, CommandError>) -> Void
  ) {
    cluster.sessions.isLoggedIn(name) { [weak self] isLoggedIn in
      guard let self else { return }
      switch isLoggedIn {
      case true?:
        let message = "\(name) is disconnected at another node."
        send(
          ClusterOperator.Order(kick: name, reason: reason), message, in: cluster, answer: answer)
      case false?: answer(.failure(.nobody(called: name)))
      case nil: answer(.failure(.engineIsAway))
      }
    }
  }

  /// Tells the other nodes, and then the operator.
  func send(
    _ order: ClusterOperator.Order, _ message: String, in cluster: Cluster,
    answer: @escaping (Result<AdminReply, CommandError>) -> Void
  ) {
    cluster.operator.send(order) { [serverLog] isSent in
      guard isSent else { return answer(.failure(.engineIsAway)) }
      serverLog.log.write(
        .info, "admin", ["command": .text("cluster"), "text": .words(message)])
      answer(.success(.done(message)))
    }
  }
}

extension CommandError {
  static func nobody(called name: String) -> CommandError {
    CommandError(
      .unknownPlayer, field: "name",
      "Nobody called \(name) is logged in. To see who is, type: players")
  }
}
