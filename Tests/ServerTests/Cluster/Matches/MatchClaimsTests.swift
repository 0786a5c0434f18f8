import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct MatchClaimsTests {
  private let engine = ManualRedis()
  private let claims: MatchClaims
  private let watch = NodeWatch()
  private let mine = Life(node: "north", incarnation: 3)
  private let other = Life(node: "south", incarnation: 1)
  private let ended = Ended()

  private final class Ended {
    var matches: [String] = []
  }

  init() {
    claims = MatchClaims(engine: engine, games: .server, random: RandomSource())
    claims.onEnded = { [ended] match, _, _ in ended.matches.append(match) }
  }

  /// The stream of a match without any record, of which a claim is the only entry.
  private var stream: RedisReply {
    let fields = ["c", "north 3 nonce"].map { RedisReply.bulk(Array($0.utf8)) }
    return .array([.array([.bulk(Array("2-0".utf8)), .array(fields)])])
  }

  private func life(_ life: Life) -> RedisReply { .bulk(Array(life.text.utf8)) }

  @Test func `a claim without an answer is made again, with the same words`() {
    claims.claim(["m1"], of: other, for: mine) {}
    let first = engine.requests.first?.commands
    engine.answer(nil)
    #expect(claims.unanswered == ["m1": other])
    claims.claim(from: [], for: mine, watch)
    #expect(engine.requests.first?.commands == first)
    engine.answer { _ in stream }
    #expect(ended.matches == ["m1"])
    #expect(claims.unanswered.isEmpty)
    claims.claim(from: [], for: mine, watch)
    #expect(engine.requests.isEmpty)
  }

  @Test func `a claim is not made again if somebody else has won`() {
    claims.claim(["m1"], of: other, for: mine) {}
    engine.answer { _ in life(Life(node: "east", incarnation: 2)) }
    #expect(claims.unanswered.isEmpty)
    #expect(ended.matches.isEmpty)
  }

  @Test func `an answer that comes after the end of the life is ignored`() {
    var isDone = false
    claims.claim(["m1"], of: other, for: mine) { isDone = true }
    claims.giveUp()
    engine.answer { _ in stream }
    #expect(ended.matches.isEmpty && isDone)
    claims.claim(["m1"], of: other, for: mine) {}
    claims.giveUp()
    engine.answer(nil)
    #expect(claims.unanswered.isEmpty)
  }

  @Test func `a player whose match this node may own waits until that is clear`() {
    let sessions = ClusterSessions(
      engine: engine, outbox: RedisOutbox(engine: engine, timers: ManualTimers()), claims: claims,
      timers: ManualTimers(), random: RandomSource(), address: "a:2", life: { [mine] in mine })
    claims.claim(["m1"], of: other, for: mine) {}
    engine.answer(nil)
    let owner = RedisReply.array([life(mine), .bulk(Array("a:1".utf8))])
    var isHere = false
    sessions.find(match: "m1") { if case .here = $0 { isHere = true } }
    engine.answer { _ in owner }
    #expect(!isHere && claims.unanswered.count == 1)
    engine.answer { _ in stream }
    #expect(ended.matches == ["m1"])
    engine.answer { _ in owner }
    #expect(isHere)
  }

  @Test func `matches that only the engine has are ended, and no others`() {
    claims.claim(["m1"], of: other, for: mine) {}
    engine.answer(nil)
    claims.endLost(of: mine) { $0 == "m2" }
    #expect(engine.requests.first?.commands == [["SMEMBERS", "o:north 3"]])
    let ids = ["m1", "m2", "m3", "m4"].map { RedisReply.bulk(Array($0.utf8)) }
    engine.answer { _ in .array(ids) }
    // The claim of one is not answered yet, and another one goes on.
    let scripts = engine.requests.first?.commands.map { $0[3...] }
    let claim = "\(mine.text) \(claims.nonce)"
    #expect(scripts == [["m3", mine.text, claim], ["m4", mine.text, claim]])
    engine.answer { $0[3] == "m3" ? stream : .integer(0) }
    #expect(ended.matches == ["m3"])
    #expect(engine.requests.isEmpty)
  }

  @Test func `a match that was given to this node, and not taken up yet, is taken up`() {
    claims.endLost(of: mine) { _ in false }
    engine.answer { _ in .array([.bulk(Array("m1".utf8))]) }
    engine.answer { _ in .integer(2) }
    let claim = engine.requests.first?.commands.first.map { Array($0[3...]) }
    #expect(claim == ["m1", mine.text, mine.text, claims.nonce])
    #expect(ended.matches.isEmpty)
  }
}
