import Shared

/// What the operator does at all nodes of a cluster, and how matches go to other nodes.
extension AdminCommands {
  /// Disconnects a player of another node.
  func kickElsewhere(_ name: String, because reason: String?, answer: @escaping Answer) {
    group.kick(name, because: reason, keepsSeat: false, waits: false) { [weak self] result in
      guard let self else { return }
      answer(
        result.flatMap { isElsewhere in
          guard isElsewhere else { return .failure(.nobody(called: name)) }
          return .success(told("\(name) is disconnected at another node."))
        })
    }
  }

  func announce(_ text: String, answer: @escaping Answer) {
    lobby.announce(text)
    let sessions = Count.of(serverLog.counters.sessions.now, "session")
    group.announce(text) { [weak self] result in
      guard let self else { return }
      answer(
        result.map { hasOthers in
          guard hasOthers else { return .done("Sent to \(sessions): \(text)") }
          return told("Sent to \(sessions) here, and to the other nodes: \(text)")
        })
    }
  }

  /// The other nodes have been told.
  private func told(_ message: String) -> AdminReply {
    serverLog.log.write(.info, "admin", ["command": .text("cluster"), "text": .words(message)])
    return .done(message)
  }

  /// The nodes, as each of them describes itself, and the engine.
  func showCluster(answer: @escaping Answer) throws(CommandError) {
    try gather(Self.statusLine) { [group] lines, nodes in
      group.describeEngine { more, fields in
        answer(
          .success(
            AdminReply("cluster", lines: lines + more) { line in
              line.put("nodes", nodes)
              fields(&line)
            }))
      }
    }
  }

  /// Moves the numbers of players in the plan from this node; without a plan, moves matches at all
  /// nodes until each has its share.
  func rebalance(
    _ plan: [(node: String, players: Int)]?, answer: @escaping Answer
  ) throws(CommandError) {
    guard let plan else {
      return try gather(Self.statusLine) { [group] lines, _ in
        group.rebalance(lines) { answer($0.map(AdminReply.done)) }
      }
    }
    _ = try group.members()
    let count = group.begin(plan)
    answer(
      .success(
        .done(
          "\(Count.of(count, "match", "matches")) \(count == 1 ? "is" : "are") going to move.")))
  }

  private static let statusLine = #"{"type":"status"}"#

  // MARK: - Questions

  /// Carries out a command at this node for `all`, and gives the lines of the reply.
  private func perform(
    _ line: String, at node: String,
    then done: @escaping ([UInt8], AdminCommand?, CommandError?) -> Void
  ) {
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
      command = try decoder.decode(Array(line.utf8).span).map { AdminCommand.allCases[$0.spec] }
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
    _ = try group.members()
    var decoder = LineDecoder.forAdmin
    var command: AdminCommand?
    do throws(LineError) {
      command = try decoder.decode(Array(text.utf8).span).map { AdminCommand.allCases[$0.spec] }
    } catch {
      throw CommandError(error.code, field: "command", error.message)
    }
    guard let command, command.isForAll else {
      throw CommandError(
        .badField, field: "command", "At all nodes there are: \(AdminCommand.namesForAll).")
    }
    try access.check(command)
    try command.check(decoder)
    try gather(text) { lines, nodes in
      let message = command.isReading ? nil : "\(Count.of(nodes, "node")): \(text)"
      answer(
        .success(AdminReply("all", lines: lines, logged: message) { $0.put("nodes", nodes) }))
    }
  }

  /// Lets all nodes carry out a command, and gives the lines of their replies in the order of the
  /// nodes, and how many nodes there are.
  ///
  /// - Throws: `unavailable` at a server that stands alone.
  func gather(
    _ text: String, then done: @escaping ([UInt8], Int) -> Void
  ) throws(CommandError) {
    let (mine, others) = try group.members()
    group.ask(text, of: others) { [weak self] replies in
      self?.perform(text, at: mine) { own, _, _ in
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

extension AdminCommands: ServerGroupHost {
  func take(_ decisions: OperatorRecord) {
    moderation.replace(with: decisions)
    enforceBans()
  }

  func announceHere(_ text: String) { lobby.announce(text) }

  func kickHere(_ name: String, because reason: String?, keepsSeat: Bool = false) -> String? {
    guard let session = lobby.session(named: name) else { return nil }
    let text = reason.map { "The operator of the server has disconnected you: \($0)" }
    let message = text ?? ByeCode.kicked.message
    if keepsSeat {
      let account = lobby.directory.account(of: session.name)
      // The word from another node comes after the player has logged in with that password.
      if session.outlet != nil, session.hasNewPassword { return session.name.text }
      if account != nil {
        if !lobby.vacateSeat(of: session, becauseOperatorSays: message) {
          lobby.kick(session, becauseOperatorSays: message, retry: .zero)
        }
        return session.name.text
      }
    }
    lobby.kick(session, becauseOperatorSays: message)
    return session.name.text
  }

  func carryOut(
    _ line: String, at mine: String, for node: String, answer: @escaping ([UInt8]) -> Void
  ) {
    perform(line, at: mine) { [serverLog] lines, command, error in
      serverLog.log.write(
        .info, "admin",
        [
          "node": .text(node), "command": .text(command?.rawValue), "line": .text(line),
          "refused": .text(error?.code.rawValue),
        ])
      answer(lines)
    }
  }
}

extension CommandError {
  fileprivate static func nobody(called name: String) -> CommandError {
    CommandError(
      .unknownPlayer, field: "name",
      "Nobody called \(name) is logged in. To see who is, type: players")
  }
}
