import Shared

/// What the operator does at all nodes of a cluster.
extension AdminCommands {
  func observe(_ cluster: Cluster) {
    cluster.operator.onChange = { [weak self] record in
      self?.moderation.replace(with: record)
      self?.enforceBans()
    }
    cluster.operator.onOrder = { [weak self, weak cluster] order in
      guard let self, let cluster else { return }
      if let text = order.announcement { lobby.announce(text) }
      if let name = order.kick { _ = kickHere(name, because: order.reason) }
      if let match = order.take, order.to == cluster.node.name { cluster.moves.take(match) }
      if let question = order.question, question.isFor(cluster.node.name) {
        reply(to: question, in: cluster)
      }
    }
  }

  /// - Throws: `unavailable` at a server that stands alone.
  func needCluster() throws(CommandError) -> Cluster {
    guard let cluster else {
      throw CommandError(.unavailable, "This server stands alone: it is no node of a cluster.")
    }
    return cluster
  }

  /// Disconnects a player of another node.
  func kick(
    _ name: String, because reason: String?, in cluster: Cluster, answer: @escaping Answer
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
    answer: @escaping Answer
  ) {
    cluster.operator.send(order) { [serverLog] isSent in
      guard isSent else { return answer(.failure(.engineIsAway)) }
      serverLog.log.write(
        .info, "admin", ["command": .text("cluster"), "text": .words(message)])
      answer(.success(.done(message)))
    }
  }

  // MARK: - Questions

  /// Carries out the command of an operator at another node, and sends the reply there.
  private func reply(to question: ClusterQuestion, in cluster: Cluster) {
    let line = Array(question.line.utf8)
    perform(line, in: cluster) { [serverLog] lines, command, error in
      serverLog.log.write(
        .info, "admin",
        [
          "node": .text(question.from), "command": .text(command?.rawValue),
          "line": .text(question.line),
          "refused": .text(error?.code.rawValue),
        ])
      cluster.questions.reply(to: question, with: lines)
    }
  }

  /// Carries out a command at this node for `all`, and gives the lines of the reply.
  private func perform(
    _ line: [UInt8], in cluster: Cluster,
    then done: @escaping ([UInt8], AdminCommand?, CommandError?) -> Void
  ) {
    let node = cluster.node.name
    var decoder = LineDecoder.forAdmin
    var command: AdminCommand?
    let finish = { (command: AdminCommand?, result: Result<AdminReply, CommandError>) in
      var bytes: [UInt8] = []
      switch result {
      case .success(let reply):
        reply.append(re: nil, at: node, to: &bytes)
        done(bytes, command, nil)
      case .failure(let error):
        AdminReply.refusal(error).append(re: nil, at: node, to: &bytes)
        done(bytes, command, error)
      }
    }
    do throws(LineError) {
      command = try decoder.decode(line.span).map { AdminCommand.allCases[$0.spec] }
    } catch {
      return finish(nil, .failure(CommandError(error.code, error.message)))
    }
    guard let command, command.isForAll || command == .move || command == .rebalance else {
      return finish(command, .failure(CommandError(.badField, "Not a command for all nodes.")))
    }
    do throws(CommandError) {
      try perform(command, decoder) { finish(command, $0) }
    } catch {
      finish(command, .failure(error))
    }
  }

  /// Lets all nodes carry out a command, this one last. A drain may end its process.
  func performAtAll(
    _ text: String, by access: AdminAccess, answer: @escaping Answer
  ) throws(CommandError) {
    let cluster = try needCluster()
    var decoder = LineDecoder.forAdmin
    var command: AdminCommand?
    do throws(LineError) {
      command = try decoder.decode(Array(text.utf8).span).map { AdminCommand.allCases[$0.spec] }
    } catch {
      throw CommandError(error.code, field: "command", error.message)
    }
    guard let command, command.isForAll else {
      let names = AdminCommand.allCases.filter(\.isForAll).map(\.rawValue)
      throw CommandError(
        .badField, field: "command",
        "At all nodes there are: \(names.joined(separator: ", ")).")
    }
    try access.check(command)
    try AdminArguments.check(command, decoder)
    gather(text, in: cluster) { lines, nodes in
      let message = command.isReading ? nil : "\(Count.of(nodes, "node")): \(text)"
      answer(
        .success(AdminReply("all", lines: lines, logged: message) { $0.put("nodes", nodes) }))
    }
  }

  /// Lets all nodes carry out a command, and gives the lines of their replies in the order of the
  /// nodes, and how many nodes there are.
  func gather(
    _ text: String, in cluster: Cluster, then done: @escaping ([UInt8], Int) -> Void
  ) {
    let mine = cluster.node.name
    let others = cluster.node.watch.alive.filter { $0 != mine }
    cluster.questions.ask(text, of: others) { [weak self, weak cluster] replies in
      guard let self, let cluster else { return }
      perform(Array(text.utf8), in: cluster) { own, _, _ in
        var lines: [UInt8] = []
        for node in (others + [mine]).sorted() {
          if node == mine {
            lines += own
          } else if let reply = replies[node] {
            lines += reply
          } else {
            AdminReply("missing") { $0.put("message", "The node does not answer.") }
              .append(re: nil, at: node, to: &lines)
          }
        }
        done(lines, others.count + 1)
      }
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
