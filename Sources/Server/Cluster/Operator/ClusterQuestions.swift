import Shared

/// What the operator at one node wants to know of others, or to happen there.
struct ClusterQuestion: Codable, Equatable {
  /// The key of the replies in the engine, without its prefix.
  let id: String
  /// The node that asks.
  let from: String
  /// The nodes that are asked.
  let nodes: [String]
  /// The operator's command.
  let line: String

  func isFor(_ node: String) -> Bool { nodes.contains(node) && from != node }
}

/// Asks other nodes, and gathers their replies. The nodes do not talk to each other: a question
/// goes the way of an order, so a node hears of it within about a second, and it puts its reply
/// into a list of the engine.
final class ClusterQuestions {
  /// How long to wait for replies. A node that is silent for longer is about to be taken for dead.
  static let timeout: Duration = .seconds(5)
  static let interval: Duration = .milliseconds(100)
  /// How long the engine keeps replies that nobody has read.
  private static let keptTime: Duration = .seconds(60)
  private static let idLength = 16

  private let engine: any Redis
  private let timers: any Timers
  private let random: RandomSource
  private let node: String
  private let send: (ClusterOperator.Order, @escaping (Bool) -> Void) -> Void

  /// `node` is the name of this node, and `send` tells the others.
  init(
    engine: any Redis, timers: any Timers, random: RandomSource, node: String,
    send: @escaping (ClusterOperator.Order, @escaping (Bool) -> Void) -> Void
  ) {
    self.engine = engine
    self.timers = timers
    self.random = random
    self.node = node
    self.send = send
  }

  /// Lets nodes carry out a command. `answer` gets the lines of those that have replied in time, by
  /// their names.
  func ask(_ line: String, of nodes: [String], answer: @escaping ([String: [UInt8]]) -> Void) {
    guard !nodes.isEmpty else { return answer([:]) }
    let id = random.letters(Self.idLength)
    let question = ClusterQuestion(id: id, from: node, nodes: nodes, line: line)
    let end = timers.now + Self.timeout
    send(ClusterOperator.Order(question: question)) { [weak self] isSent in
      guard let self, isSent else { return answer([:]) }
      wait(for: question, until: end, answer: answer)
    }
  }

  private func wait(
    for question: ClusterQuestion, until end: Duration,
    answer: @escaping ([String: [UInt8]]) -> Void
  ) {
    engine.ask("LLEN", RedisKey.replies(question.id)) { [weak self] reply in
      guard let self else { return }
      guard (reply?.number ?? 0) < question.nodes.count, timers.now < end else {
        return read(question, answer: answer)
      }
      timers.schedule(after: Self.interval) { [weak self] in
        self?.wait(for: question, until: end, answer: answer)
      }
    }
  }

  private func read(
    _ question: ClusterQuestion, answer: @escaping ([String: [UInt8]]) -> Void
  ) {
    let key = RedisKey.replies(question.id)
    engine.ask("LRANGE", key, "0", "-1") { [weak self] reply in
      self?.engine.ask("DEL", key) { _ in }
      var replies: [String: [UInt8]] = [:]
      for case .bulk(let bytes) in reply?.elements ?? [] {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { continue }
        replies[String(decoding: bytes[..<end], as: UTF8.self)] = Array(bytes[(end + 1)...])
      }
      answer(replies)
    }
  }

  /// Sends the lines of a reply to the node that has asked.
  func reply(to question: ClusterQuestion, with lines: [UInt8]) {
    let key = RedisKey.replies(question.id)
    var commands = RedisCommands()
    commands.begin(words: 3)
    commands.add(word: "LPUSH")
    commands.add(word: key)
    commands.add(word: Array("\(node)\n".utf8) + lines)
    commands.add("PEXPIRE", key, String(Self.keptTime.milliseconds))
    engine.send(commands, confirmed: .never) { _ in }
  }
}
