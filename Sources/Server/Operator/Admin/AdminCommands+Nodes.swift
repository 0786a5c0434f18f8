import Foundation
import Shared

/// What the operator sees of a cluster, and how matches go to other nodes.
extension AdminCommands {
  /// The nodes, as each of them describes itself, and the engine.
  func showCluster(_ cluster: Cluster, answer: @escaping Answer) {
    gather(#"{"type":"status"}"#, in: cluster) { lines, nodes in
      RedisState.read(from: cluster) { state in
        var lines = lines
        for replica in state?.replicas ?? [] {
          AdminReply("replica") { line in
            line.put("address", replica.address)
            line.put("state", replica.state)
            line.put("behind", replica.bytesBehind)
            line.put("lag", replica.silence)
          }.append(re: nil, to: &lines)
        }
        answer(
          .success(
            AdminReply("cluster", lines: lines) { line in
              line.put("nodes", nodes)
              line.put("engine", state != nil)
              line.put("replicas", state?.replicas.count)
              line.put("used", state?.usage.used)
              line.put("limit", state?.usage.limit)
            }))
      }
    }
  }

  // MARK: - Moving matches

  /// Moves a match that is at this node, or lets the node do so that has it.
  func move(_ match: String, to node: String, in cluster: Cluster, answer: @escaping Answer) {
    if cluster.store.contains(match) {
      return cluster.moves.move(match, to: node) { result in
        answer(result.map { .done("The match \(match) goes on at the node \(node).") })
      }
    }
    cluster.moves.owner(of: match) { [weak self, weak cluster] owner in
      guard let self, let cluster else { return }
      switch owner {
      case nil: answer(.failure(.engineIsAway))
      case .some(nil): answer(.failure(CommandError(.unknownMatch, field: "match")))
      case .some(let owner?) where owner.node == cluster.node.name:
        answer(.failure(.moveLater))
      case .some(let owner?):
        let line = AdminReply("move") { line in
          line.put("match", match)
          line.put("node", node)
        }
        ask(owner.node, line, in: cluster, answer: answer)
      }
    }
  }

  /// Lets one other node carry out a command.
  private func ask(
    _ node: String, _ line: AdminReply, in cluster: Cluster, answer: @escaping Answer
  ) {
    var bytes: [UInt8] = []
    line.append(re: nil, to: &bytes)
    let text = String(decoding: bytes.dropLast(), as: UTF8.self)
    cluster.questions.ask(text, of: [node]) { replies in
      guard let reply = replies[node].flatMap(Sentence.init) else {
        return answer(.failure(CommandError(.unavailable, "The node \(node) does not answer.")))
      }
      answer(reply.result)
    }
  }

  /// Moves the numbers of players in the plan from this node; without a plan, moves matches at all
  /// nodes until each has its share.
  func rebalance(
    _ plan: [(node: String, players: Int)]?, in cluster: Cluster, answer: @escaping Answer
  ) {
    if let plan {
      let count = cluster.moves.begin(plan)
      let verb = count == 1 ? "is" : "are"
      return answer(
        .success(.done("\(Count.of(count, "match", "matches")) \(verb) going to move.")))
    }
    gather(#"{"type":"status"}"#, in: cluster) { [weak self] lines, _ in
      guard let self else { return }
      let loads = lines.split(separator: UInt8(ascii: "\n")).compactMap(NodeLoad.init)
      let plans = NodeLoad.plans(for: loads)
      guard !plans.isEmpty else {
        return answer(.success(.done("The nodes have their shares already: nothing moves.")))
      }
      carryOut(plans, in: cluster, answer: answer)
    }
  }

  private func carryOut(
    _ plans: [(from: String, to: [(node: String, players: Int)])], in cluster: Cluster,
    answer: @escaping Answer
  ) {
    var sentences: [String] = []
    for plan in plans {
      let targets = plan.to.map { "\($0.node)=\($0.players)" }
      sentences.append(
        "From \(plan.from) players go to: \(targets.joined(separator: ", ")).")
      if plan.from == cluster.node.name {
        _ = cluster.moves.begin(plan.to)
        continue
      }
      let line = AdminReply("rebalance") { $0.put("plan", targets.joined(separator: ",")) }
      ask(plan.from, line, in: cluster) { [serverLog] result in
        guard case .failure(let error) = result else { return }
        serverLog.log.write(
          .warning, "rebalanceFailed",
          ["node": .text(plan.from), "text": .words(error.message)])
      }
    }
    answer(.success(.done(sentences.joined(separator: " "))))
  }
}

/// The reply of another node to a command that is not a list.
private struct Sentence: Decodable {
  let type: String
  let message: String
  let code: String?

  init?(_ line: [UInt8]) {
    guard let value = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
    self = value
  }

  var result: Result<AdminReply, CommandError> {
    guard type == "error" else { return .success(.done(message)) }
    return .failure(CommandError(code.flatMap(ErrorCode.init) ?? .unavailable, message))
  }
}
