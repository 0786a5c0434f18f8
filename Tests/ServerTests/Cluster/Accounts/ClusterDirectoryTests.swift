import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// What is different with several nodes and an engine.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ClusterDirectoryTests {
  private let fixture: ClusterDirectoryFixture

  init() throws { fixture = try ClusterDirectoryFixture() }

  private func rated(_ id: String, games: Int, _ accounts: PerMark<Int>?) -> TestMatch {
    var match = TestMatch(id, "ann", "bob")
    for number in 0..<games {
      let isOdd = number.isMultiple(of: 2)
      match.play(winner: .x, accounts: isOdd ? accounts : accounts?.swapped)
    }
    return match
  }

  @Test func `records that come again write no result twice`() throws {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    var match = rated("m1", games: 3, accounts)
    fixture.cluster.didStore(match.records, of: "m1")
    fixture.cluster.didStore(match.records, of: "m1")
    try fixture.wait { (try? fixture.history().items.count) == 3 }
    // Another node takes over, and goes on.
    let other = try ClusterDirectoryFixture(fixture)
    match.play(winner: .x, accounts: accounts.swapped)
    match.end()
    other.cluster.didStore(match.records, of: "m1")
    try other.finish("m1")
    for node in [fixture, other] {
      #expect(try node.history().items.map(\.id) == [4, 3, 2, 1])
      #expect(try node.leaderboard().items.map { $0.won + $0.lost } == [4, 4])
    }
    // The node before is late.
    fixture.cluster.didStore(match.records, of: "m1")
    try fixture.finish("m1")
    #expect(try fixture.history().items.count == 4)
    let board = try fixture.leaderboard().items
    let ann = try #require(fixture.directory.account(of: try PlayerName("ann")))
    #expect(board.map(\.won) == [2, 2])
    try fixture.wait {
      fixture.directory.rating(of: ann, in: "tictactoe")
        == board.first { $0.name == "ann" }?.rating
    }
    let end = try fixture.reply(to: "PEXPIRETIME", "g:m1")?.number ?? 0
    #expect(end > Date(timeIntervalSinceNow: 86_400).milliseconds)
  }

  @Test func `records come entry by entry`() throws {
    var match = TestMatch("m1", "ann", nil)
    match.play(moves: 2, winner: .o)
    match.end()
    let lines = match.records.split(separator: UInt8(ascii: "\n"))
    for line in lines { fixture.cluster.didStore(line + [UInt8(ascii: "\n")], of: "m1") }
    try fixture.finish("m1")
    #expect(try fixture.history().items.map(\.moves) == [2])
  }

  @Test func `the reply to a result is lost, and it is written once`() throws {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    fixture.engine.lose(1)
    fixture.engine.lose(2)
    fixture.cluster.didStore(rated("m1", games: 2, accounts).records, of: "m1")
    try fixture.finish("m1")
    #expect(try fixture.history().items.count == 2)
    let board = try fixture.leaderboard().items
    for item in board {
      let account = try #require(fixture.directory.account(of: try PlayerName(item.name)))
      #expect(item.won + item.lost == 2)
      try fixture.wait {
        fixture.directory.rating(of: account, in: "tictactoe") == item.rating
      }
    }
  }

  @Test func `two nodes write results of one account at the same time`() throws {
    let ids = try ["ann", "bob", "cid"].map { try fixture.account($0) }
    let other = try ClusterDirectoryFixture(fixture)
    var matches = [TestMatch("m1", "ann", "bob"), TestMatch("m2", "ann", "cid")]
    for index in matches.indices {
      var accounts = PerMark(x: ids[0], o: ids[index + 1])
      for number in 0..<20 {
        matches[index].play(
          winner: number.isMultiple(of: 2) ? .x : .o, accounts: accounts)
        accounts = accounts.swapped
      }
    }
    var done = 0
    for (node, match) in zip([fixture, other], matches) {
      node.cluster.didStore(match.records, of: match.id)
      node.cluster.matchDidEnd(match.id) { done += 1 }
    }
    try fixture.wait { done == 2 }
    let items = try fixture.leaderboard().items
    #expect(items.first { $0.name == "ann" }.map { $0.won } == 40)
    #expect(items.map { $0.won + $0.lost }.sorted() == [20, 20, 40])
    #expect(try fixture.history(of: "ann").items.count == 40)
    // In the order in which they were written, they are what one server would compute.
    var ratings = [String: Rating]()
    for item in try fixture.history().items.reversed() {
      let new = Rating.updated(
        item.players.map { ratings[$0, default: Rating()] }, winner: item.outcome.winner)
      for mark in Mark.allCases { ratings[item.players[mark]] = new[mark] }
    }
    #expect(items.map(\.rating) == items.map { ratings[$0.name]?.rounded })
  }

  @Test func `results that gather are written together`() throws {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    let before = fixture.engine.requests
    var done = 0
    for number in 0..<ScriptBatches.maxScripts + 44 {
      // Two of them want to change the same ratings.
      let isRated = number == 40 || number == 50
      let match = rated("m\(number)", games: 1, isRated ? accounts : nil)
      fixture.cluster.didStore(match.records, of: match.id)
      fixture.cluster.matchDidEnd(match.id) { done += 1 }
    }
    try fixture.wait { done == ScriptBatches.maxScripts + 44 }
    #expect(fixture.engine.requests - before <= 6)
    #expect(try fixture.reply(to: "LLEN", "h:") == .integer(300))
    #expect(try fixture.leaderboard().items.map(\.won) == [2, 0])
  }

  @Test func `only the latest games of a player are kept`() throws {
    var match = TestMatch("m1", "ann", nil)
    // A sixteenth more, so that not each game cuts the list.
    for _ in 0..<1_062 { match.play(winner: .x) }
    try fixture.store(match)
    #expect(RedisKey.maxGamesPerPlayer == 1_000)
    #expect(try fixture.reply(to: "LLEN", "h:ann") == .integer(1_062))
    var next = TestMatch("m2", "ann", nil)
    next.play(winner: .x)
    try fixture.store(next)
    #expect(try fixture.reply(to: "LLEN", "h:ann") == .integer(1_000))
    #expect(try fixture.reply(to: "LLEN", "h:") == .integer(1_063))
    #expect(try fixture.history(of: "ann", before: 66).items.map(\.id) == [65, 64])
    #expect(try fixture.history(before: 13).items.count == 12)
  }

  @Test func `a game counts for the other although one account is gone`() throws {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    #expect(try fixture.unregister("bob") == nil)
    try fixture.store(rated("m1", games: 1, accounts))
    let expected = Rating.updated(PerMark(x: Rating(), o: Rating()), winner: .x)
    let items = try fixture.leaderboard().items
    #expect(items.map(\.name) == ["ann"])
    #expect(items.map(\.rating) == [expected.x.rounded])
    #expect(try fixture.reply(to: "EXISTS", "a:bob") == .integer(0))
  }

  @Test func `an account is removed after its results`() throws {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    fixture.cluster.didStore(rated("m1", games: 5, accounts).records, of: "m1")
    #expect(try fixture.unregister("bob") == nil)
    #expect(try fixture.history().items.count == 5)
    let items = try fixture.leaderboard().items
    #expect(items.map(\.name) == ["ann"])
    #expect(items.map { $0.won + $0.lost } == [5])
  }

  @Test func `an account is not removed while its results cannot be written`() throws {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    // The second attempt comes after the account was read.
    fixture.engine.lose(1)
    fixture.engine.lose(3)
    fixture.cluster.didStore(rated("m1", games: 1, accounts).records, of: "m1")
    #expect(try fixture.unregister("bob") == .engineIsAway)
    #expect(fixture.directory.account(of: try PlayerName("bob"))?.isSettled == true)
    try fixture.finish("m1")
    #expect(try fixture.unregister("bob") == nil)
  }

  @Test func `accounts are known only while their names are used`() throws {
    let other = try ClusterDirectoryFixture(fixture)
    let id = try fixture.account("Ann")
    let name = try PlayerName("ANN")
    #expect(other.directory.account(of: name) == nil)
    try other.use(name)
    try other.use(name)
    #expect(other.directory.account(of: name)?.id == id)
    other.cluster.forget(name)
    #expect(other.directory.account(of: name)?.name == "Ann")
    other.cluster.forget(name)
    #expect(other.directory.account(of: name) == nil)
    #expect(try other.check("correct horse", of: "ann").account?.id == id)
    #expect(other.directory.account(of: name) == nil)
  }

  @Test func `a name that another node has registered is registered`() throws {
    let other = try ClusterDirectoryFixture(fixture)
    try other.use(try PlayerName("ann"))
    _ = try fixture.account("ann")
    #expect(try other.register("ann") == .oldIsMissing)
    #expect(other.directory.account(of: try PlayerName("ann")) != nil)
  }

  @Test func `a name that is being registered belongs to somebody already`() throws {
    let name = try PlayerName("ann")
    try fixture.use(name)
    var isSettled: Bool?
    let result: Result<Void, CommandError> = try fixture.answer { answer in
      // It is called just before the account is written, so the engine has none yet.
      let isCurrent = {
        fixture.cluster.load(name) { _ in
          isSettled = fixture.directory.account(of: name)?.isSettled
        }
        return true
      }
      try fixture.cluster.register(
        name, password: "correct horse", old: nil, from: .ofNobody, isCurrent: isCurrent,
        answer: answer)
    }
    #expect(throws: Never.self) { try result.get() }
    #expect(isSettled == false)
    #expect(fixture.directory.account(of: name)?.isSettled == true)
  }

  @Test func `a lost reply leaves the account as the engine has it`() throws {
    let name = try PlayerName("ann")
    try fixture.use(name)
    // The account is read before.
    func loseSecond(_ command: () throws -> CommandError?) throws {
      fixture.engine.lose(2)
      #expect(try command() == .engineIsAway)
    }
    try loseSecond { try fixture.register("ann") }
    try fixture.wait { fixture.directory.account(of: name) != nil }
    try loseSecond {
      try fixture.register("ann", "other horse", old: "correct horse")
    }
    try fixture.wait {
      fixture.directory.account(of: name)?.password == "quick other horse"
    }
    try loseSecond { try fixture.unregister("ann", "other horse") }
    try fixture.wait { fixture.directory.account(of: name) == nil }
  }

  @Test func `without the engine everything is unavailable, and results are written later`() throws
  {
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    fixture.redis.kill()
    let expected = CommandError.engineIsAway
    #expect(expected.code == .unavailable)
    #expect(expected.retry == .seconds(1))
    let error: CommandError? = try fixture.answer {
      fixture.cluster.load(try PlayerName("cid"), answer: $0)
    }
    #expect(error == expected)
    #expect(fixture.directory.account(of: try PlayerName("cid")) == nil)
    #expect(try fixture.register("cid") == expected)
    #expect(try fixture.unregister("ann") == expected)
    #expect(try fixture.check("correct horse", of: "ann").refusal == expected)
    #expect(throws: expected) { try fixture.history() }
    #expect(throws: expected) { try fixture.leaderboard() }
    #expect(try fixture.replay(of: "m1") == .failure(expected))
    // What is known here stays known.
    #expect(fixture.directory.account(of: try PlayerName("ann"))?.id == accounts.x)
    fixture.cluster.didStore(rated("m1", games: 2, accounts).records, of: "m1")
    try fixture.redis.start()
    try fixture.finish("m1")
    #expect(try fixture.history().items.count == 2)
  }

  @Test func `a match that goes on, or whose lines are missing, has no replay`() throws {
    var match = TestMatch("m1", "ann", "bob")
    match.play(winner: .x)
    try fixture.append(match, isFinished: false)
    #expect(try fixture.replay(of: "m1") == .failure(.notFinished))
    var other = TestMatch("m2", "ann", "bob")
    other.play(winner: .x)
    try fixture.append(other, isWhole: false)
    #expect(try fixture.replay(of: "m2") == .failure(.damagedMatch))
  }

  @Test func `the lines of a real match are understood`() throws {
    let store = RecordingStore()
    let server = TestServer(store: store)
    let clients = server.match()
    server.playFirstRow(clients.x, clients.o)
    clients.x.say("start")
    clients.o.say("start")
    clients.x.say("resign")
    clients.x.say("leave")
    let (id, records) = try #require(store.records.first)
    fixture.cluster.didStore(records, of: id)
    try fixture.finish(id)
    let items = try fixture.history().items
    #expect(items.map(\.players.x) == ["bob", "ann"])
    #expect(items.map(\.outcome.reason) == [.resigned, .line])
    #expect(items.map(\.outcome.winner) == [.x, .x])
    #expect(items.map(\.moves) == [0, 5])
  }
}

/// Keeps the records of matches as they are in their streams.
private final class RecordingStore: MatchStore {
  private(set) var records: [String: [UInt8]] = [:]
  private var count = 0
  let hasRoom = true

  func newMatchID() -> String {
    count += 1
    return "real\(count)"
  }

  func begin(_ match: String, game: String, players: PerMark<StoredPlayer?>) {
    records[match] = TestMatch(match, game: game, players.x?.name ?? "", players.o?.name).records
  }

  func append(_ line: Span<UInt8>, to match: String, seq: Int) {
    records[match, default: []] += Array("e ".utf8)
    line.withUnsafeBufferPointer { records[match, default: []] += $0 }
  }

  func setTokens(of player: StoredPlayer, _ mark: Mark, in match: String) {}
  func setRematch(_ isAsked: Bool, by mark: Mark, in match: String) {
    records[match, default: []] += Array("q {}\n".utf8)
  }
  func end(_ match: String, game: String) {}
  func setAccounts(_ accounts: PerMark<Int>?, in match: String) {}
}
