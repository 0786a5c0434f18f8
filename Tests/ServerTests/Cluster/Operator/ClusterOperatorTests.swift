import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// Two nodes whose operators act.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ClusterOperatorTests {
  private let fixture: RedisFixture
  private let links: [RedisLink]
  private let operators: [ClusterOperator]
  private let heard: [Heard]

  private final class Heard {
    var records: [OperatorRecord] = []
    var orders: [ClusterOperator.Order] = []
  }

  init() throws {
    let fixture = try RedisFixture()
    self.fixture = fixture
    links = [try fixture.link(), try fixture.link()]
    operators = links.map { ClusterOperator(engine: $0) }
    heard = [Heard(), Heard()]
    for (one, heard) in zip(operators, heard) {
      one.onChange = { heard.records.append($0) }
      one.onOrder = { heard.orders.append($0) }
    }
    try look()
  }

  /// Lets both look, and waits until they have.
  private func look() throws {
    for one in operators { one.look() }
    for _ in 0..<3 {
      for link in links {
        let _: RedisReply? = try fixture.answer { answer in
          link.ask("PING") { answer($0) }
        }
      }
    }
  }

  private func record(banning name: String) throws -> OperatorRecord {
    OperatorRecord(
      bans: [Ban(subject: .name(try PlayerName(name)), term: Term(end: nil))], motd: "Hello!")
  }

  @Test func `without a decision nothing changes`() throws {
    try look()
    #expect(heard.allSatisfy { $0.records.isEmpty && $0.orders.isEmpty })
  }

  @Test func `what is decided at one node holds at the other`() throws {
    let record = try record(banning: "eve")
    #expect(try fixture.answer { operators[0].write(record, answer: $0) } == nil)
    try look()
    #expect(heard[1].records == [record])
    #expect(heard[0].records.isEmpty)
    // A node that starts later gets it too.
    let (late, found) = (ClusterOperator(engine: links[1]), Heard())
    late.onChange = { found.records.append($0) }
    late.look()
    try fixture.wait { !found.records.isEmpty }
    #expect(found.records == [record])
  }

  @Test func `of two decisions at once the second does not hold`() throws {
    let first = try record(banning: "eve")
    #expect(try fixture.answer { operators[0].write(first, answer: $0) } == nil)
    let failure: OperatorFailure? = try fixture.answer {
      operators[1].write(OperatorRecord(motd: "Mine"), answer: $0)
    }
    #expect(failure == .overtaken)
    try look()
    #expect(heard[1].records == [first])
  }

  @Test func `an order is carried out once at each other node`() throws {
    let orders = [
      ClusterOperator.Order(announcement: "The tournament begins."),
      ClusterOperator.Order(kick: "eve", reason: "Be nice."),
    ]
    for order in orders {
      #expect(try fixture.answer { operators[0].send(order, answer: $0) })
    }
    for _ in 0..<3 { try look() }
    #expect(heard[1].orders == orders)
    #expect(heard[0].orders.isEmpty)
  }

  @Test func `orders of the time before a node started are not its business`() throws {
    #expect(
      try fixture.answer {
        operators[0].send(ClusterOperator.Order(announcement: "Old"), answer: $0)
      })
    let (late, found) = (ClusterOperator(engine: links[1]), Heard())
    late.onOrder = { found.orders.append($0) }
    late.look()
    try look()
    late.look()
    try look()
    #expect(found.orders.isEmpty)
  }
}
