import Foundation
import Shared

/// What the operator of this node wants of the other nodes.
extension Cluster: ServerGroup {
  /// How often, and after how long, it looks whether a player has left another node.
  private static let maxDepartureAttempts = 25
  private static let departureInterval: Duration = .milliseconds(200)
  /// How long another node may take to write the last result of a player who has left.
  private static let resultTime: Duration = .seconds(1)

  /// Carries out what the operators of other nodes want.
  func observeOperators() {
    `operator`.onChange = { [unowned self] in operatorHost?.take($0) }
    `operator`.onOrder = { [unowned self] order in
      guard let operatorHost else { return }
      if let text = order.announcement { operatorHost.announceHere(text) }
      if let name = order.kick {
        operatorHost.kickHere(name, because: order.reason, keepsSeat: order.keepsSeat ?? false)
      }
      if let match = order.take, order.to == node.name { moves.take(match) }
      if let question = order.question, question.isFor(node.name) {
        operatorHost.carryOut(question.line, at: node.name, for: question.from) {
          [weak self] lines in
          self?.questions.reply(to: question, with: lines)
        }
      }
    }
  }

  func members() throws(CommandError) -> (mine: String, others: [String]) {
    (node.name, node.watch.alive.filter { $0 != node.name })
  }

  func putStatus(to line: inout LineWriter) {
    line.put("node", node.name)
    line.put("nodes", node.watch.alive.count)
    line.put("incarnation", node.life?.incarnation)
    line.put("advertise", address)
    line.put("problem", whyNotReady)
    line.put("engineTime", node.state.isAlive ? node.state.roundTrip : nil)
    line.put("skew", clock.skew.wholeMilliseconds)
  }

  func announce(_ text: String, answer: @escaping CommandAnswer<Bool>) {
    `operator`.send(ClusterOperator.Order(announcement: text)) { isSent in
      answer(isSent ? .success(true) : .failure(.engineIsAway))
    }
  }

  func kick(
    _ name: String, because reason: String?, keepsSeat: Bool, waits: Bool,
    answer: @escaping CommandAnswer<Bool>
  ) {
    sessions.isLoggedIn(name) { [weak self] isLoggedIn in
      guard let self else { return }
      guard let isLoggedIn else { return answer(.failure(.engineIsAway)) }
      guard isLoggedIn else { return answer(.success(false)) }
      let order = ClusterOperator.Order(
        kick: name, reason: reason, keepsSeat: keepsSeat ? true : nil)
      `operator`.send(order) { [weak self] isSent in
        guard isSent else { return answer(.failure(.engineIsAway)) }
        guard waits else { return answer(.success(true)) }
        self?.waitForDeparture(of: name, answer: answer)
      }
    }
  }

  private func waitForDeparture(
    of name: String, attempts: Int = maxDepartureAttempts, answer: @escaping CommandAnswer<Bool>
  ) {
    timers.schedule(after: Self.departureInterval) { [weak self] in
      self?.sessions.isLoggedIn(name) { [weak self] isLoggedIn in
        guard let self else { return }
        guard isLoggedIn != false else {
          timers.schedule(after: Self.resultTime) { answer(.success(true)) }
          return
        }
        guard attempts > 1 else { return answer(.failure(.nodeIsAway)) }
        waitForDeparture(of: name, attempts: attempts - 1, answer: answer)
      }
    }
  }

  func ask(_ line: String, of names: [String], answer: @escaping ([String: [UInt8]]) -> Void) {
    questions.ask(line, of: names, answer: answer)
  }

  func describeEngine(
    answer: @escaping (_ lines: [UInt8], _ fields: @escaping AdminReply.Fields) -> Void
  ) {
    RedisState.read(from: self) { state in
      var lines: [UInt8] = []
      for replica in state?.replicas ?? [] {
        AdminReply("replica") { line in
          line.put("address", replica.address)
          line.put("state", replica.state)
          line.put("behind", replica.bytesBehind)
          line.put("lag", replica.silence)
        }.append(re: nil, to: &lines)
      }
      answer(lines) { line in
        line.put("engine", state != nil)
        line.put("replicas", state?.replicas.count)
        line.put("used", state?.usage.used)
        line.put("limit", state?.usage.limit)
      }
    }
  }

  // MARK: - Moving matches

  func move(_ match: String, to name: String, answer: @escaping CommandAnswer<String>) {
    if store.contains(match) {
      return moves.move(match, to: name) { result in
        answer(result.map { "The match \(match) goes on at the node \(name)." })
      }
    }
    moves.owner(of: match) { [weak self] owner in
      guard let self else { return }
      switch owner {
      case nil: answer(.failure(.engineIsAway))
      case .some(nil): answer(.failure(CommandError(.unknownMatch, field: "match")))
      case .some(let owner?) where owner.node == node.name: answer(.failure(.moveLater))
      case .some(let owner?):
        let command = AdminReply("move") { line in
          line.put("match", match)
          line.put("node", name)
        }
        ask(owner.node, command, answer: answer)
      }
    }
  }

  /// Lets one other node carry out a command whose reply is a sentence.
  private func ask(
    _ node: String, _ command: AdminReply, answer: @escaping CommandAnswer<String>
  ) {
    var line: [UInt8] = []
    command.append(re: nil, to: &line)
    ask(String(decoding: line.dropLast(), as: UTF8.self), of: [node]) { replies in
      guard let reply = replies[node].flatMap(Sentence.init) else {
        return answer(.failure(CommandError(.unavailable, "The node \(node) does not answer.")))
      }
      answer(reply.result)
    }
  }

  func begin(_ plan: [(node: String, players: Int)]) -> Int { moves.begin(plan) }

  func rebalance(_ statuses: [UInt8], answer: @escaping CommandAnswer<String>) {
    let plans = NodeLoad.plans(
      for: statuses.split(separator: UInt8(ascii: "\n")).compactMap(NodeLoad.init))
    var sentences: [String] = []
    for plan in plans {
      let targets = plan.to.map { "\($0.node)=\($0.players)" }
      sentences.append("From \(plan.from) players go to: \(targets.joined(separator: ", ")).")
      if plan.from == node.name {
        _ = begin(plan.to)
        continue
      }
      let command = AdminReply("rebalance") { $0.put("plan", targets.joined(separator: ",")) }
      ask(plan.from, command) { [log] result in
        guard case .failure(let error) = result else { return }
        log.write(
          .warning, "rebalanceFailed",
          ["node": .text(plan.from), "text": .words(error.message)])
      }
    }
    answer(
      .success(
        sentences.isEmpty
          ? "The nodes have their shares already: nothing moves."
          : sentences.joined(separator: " ")))
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

  var result: Result<String, CommandError> {
    guard type == "error" else { return .success(message) }
    return .failure(CommandError(code.flatMap(ErrorCode.init) ?? .unavailable, message))
  }
}
