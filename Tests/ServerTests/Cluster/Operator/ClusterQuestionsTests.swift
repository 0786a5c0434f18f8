import Shared
import TestSupport
import Testing

@testable import Server

/// Nodes whose operators ask the others.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ClusterQuestionsTests {
  private let fixture: RedisFixture
  private let nodes: [Node]

  private final class Node {
    let name: String
    let link: RedisLink
    let `operator`: ClusterOperator
    let questions: ClusterQuestions
    var heard: [ClusterQuestion] = []

    init(_ name: String, _ fixture: RedisFixture) throws {
      self.name = name
      link = try fixture.link()
      let part = ClusterOperator(engine: link)
      `operator` = part
      questions = ClusterQuestions(
        engine: link, timers: fixture.loop, random: RandomSource(), node: name,
        send: { part.send($0, answer: $1) })
      part.onOrder = { [unowned self] order in
        guard let question = order.question, question.isFor(name) else { return }
        heard.append(question)
        questions.reply(to: question, with: Array("\(name) has \(question.line)\n".utf8))
      }
    }
  }

  init() throws {
    let fixture = try RedisFixture()
    self.fixture = fixture
    nodes = try ["a", "b", "c"].map { try Node($0, fixture) }
    for node in nodes { node.operator.look() }
    for node in nodes {
      let _: RedisReply? = try fixture.answer { answer in node.link.ask("PING") { answer($0) } }
    }
  }

  /// Returns the replies, while the nodes look for orders as they do each second.
  private func ask(_ line: String, of names: [String]) throws -> [String: String] {
    var replies: [String: [UInt8]]?
    nodes[0].questions.ask(line, of: names) { replies = $0 }
    try fixture.wait {
      for node in nodes.dropFirst() { node.operator.look() }
      return replies != nil
    }
    return try #require(replies).mapValues { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `each node that is asked replies once`() throws {
    #expect(try ask("status", of: ["b", "c"]) == ["b": "b has status\n", "c": "c has status\n"])
    #expect(try ask("players", of: ["c"]) == ["c": "c has players\n"])
    #expect(nodes.map(\.heard.count) == [0, 1, 2])
  }

  @Test func `a node that does not answer is missing in time`() throws {
    let begin = fixture.loop.preciseNow
    #expect(try ask("status", of: ["b", "dead"]) == ["b": "b has status\n"])
    #expect(fixture.loop.preciseNow - begin >= ClusterQuestions.timeout)
  }

  @Test func `nothing stays in the engine`() throws {
    _ = try ask("status", of: ["b"])
    let keys: RedisReply? = try fixture.answer { answer in
      nodes[0].link.ask("EXISTS", RedisKey.replies(nodes[1].heard[0].id)) { answer($0) }
    }
    #expect(keys == .integer(0))
  }

  @Test func `without other nodes there is nothing to wait for`() throws {
    #expect(try ask("status", of: []).isEmpty)
  }
}
