import Shared
import TestSupport
import Testing

@testable import Server

/// What a directory that keeps accounts does, whether it is that of one server or of several.
@Suite struct DirectoryContractTests {
  enum Kind: CaseIterable {
    case stored, cluster

    /// Those that can be tested here.
    static var available: [Kind] { RedisServer.isInstalled ? allCases : [.stored] }

    func fixture() throws -> any DirectoryFixture {
      switch self {
      case .stored: try StoredDirectoryFixture()
      case .cluster: try ClusterDirectoryFixture()
      }
    }
  }

  private func code(_ error: CommandError?) -> String? {
    error.map { "\($0.code.rawValue) \($0.field ?? "-")" }
  }

  @Test(arguments: Kind.available)
  func `a registered name needs its password`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let id = try fixture.account("Ann")
    #expect(id > 0)
    #expect(try fixture.check("wrong horse", of: "ann").account == nil)
    let account = try fixture.check("correct horse", of: "ann").account
    #expect(account?.name == "Ann")
    #expect(account == fixture.directory.account(of: try PlayerName("ANN")))
    #expect(account?.isSettled == true)
    #expect(try fixture.check("correct horse", of: "bob").account == nil)
  }

  @Test(arguments: Kind.available)
  func `a password is changed with the present one only`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let id = try fixture.account("ann")
    #expect(try fixture.register("ann", "other horse") == .oldIsMissing)
    let wrong = try fixture.register("ann", "other horse", old: "wrong horse")
    #expect(code(wrong) == "wrongPassword old")
    #expect(try fixture.register("ann", "other horse", old: "correct horse") == nil)
    #expect(try fixture.check("correct horse", of: "ann").account == nil)
    let account = try fixture.check("other horse", of: "ann").account
    #expect(account?.id == id)
    #expect(account == fixture.directory.account(of: try PlayerName("ann")))
  }

  @Test(arguments: Kind.available)
  func `a numbered name cannot be registered`(kind: Kind) throws {
    let fixture = try kind.fixture()
    try fixture.use(try PlayerName("Player 7"))
    #expect(try fixture.register("Player 7") == .numberedName)
  }

  @Test(arguments: Kind.available)
  func `too many wrong passwords are too fast`(kind: Kind) throws {
    let fixture = try kind.fixture()
    _ = try fixture.account("ann")
    for _ in 0..<3 {
      #expect(code(try fixture.unregister("ann", "wrong horse")) == "wrongPassword password")
    }
    #expect(try fixture.unregister("ann")?.code == .tooFast)
  }

  @Test(arguments: Kind.available)
  func `an account that is given up leaves only its games`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    var match = TestMatch("m1", "ann", "bob")
    match.play(winner: .x, accounts: accounts)
    match.end()
    try fixture.store(match)
    #expect(try fixture.leaderboard().items.map(\.name) == ["ann", "bob"])
    #expect(code(try fixture.unregister("ann", "wrong horse")) == "wrongPassword password")
    #expect(try fixture.unregister("ann") == nil)
    #expect(fixture.directory.account(of: try PlayerName("ann")) == nil)
    #expect(try fixture.unregister("ann") == .notRegistered)
    #expect(try fixture.leaderboard().items.map(\.name) == ["bob"])
    #expect(try fixture.history(of: "ann").items.count == 1)
    #expect(try fixture.register("ann") == nil)
    let next = try #require(fixture.directory.account(of: try PlayerName("ann")))
    #expect(next.id > accounts.o)
    #expect(fixture.directory.rating(of: next, in: "tictactoe") == 1_500)
    #expect(try fixture.leaderboard().items.map(\.name) == ["bob"])
  }

  @Test(arguments: Kind.available)
  func `a long history comes in pages, the latest first`(kind: Kind) throws {
    let fixture = try kind.fixture()
    #expect(try fixture.history() == HistoryPage([]))
    var match = TestMatch("m1", "ann", nil)
    for _ in 0..<60 { match.play(moves: 3, winner: .o) }
    match.end()
    try fixture.store(match)
    var other = TestMatch("m2", game: "four", "zoë", "Bob")
    other.play(winner: nil)
    other.end()
    try fixture.store(other)
    let first = try fixture.history()
    #expect(first.items.map(\.id) == (12...61).reversed())
    #expect(first.next == 12)
    #expect(
      first.items[0]
        == HistoryItem(
          id: 61, match: "m2", game: "four", players: PerMark(x: "zoë", o: "Bob"),
          outcome: Outcome(winner: nil, reason: .full), moves: 1, ago: .zero))
    // The players swap marks.
    #expect(
      first.items[1]
        == HistoryItem(
          id: 60, match: "m1", game: "tictactoe", players: PerMark(x: "bot", o: "ann"),
          outcome: Outcome(winner: .o, reason: .resigned), moves: 3, ago: .zero))
    let rest = try fixture.history(before: first.next)
    #expect(rest.items.map(\.id) == (1...11).reversed())
    #expect(rest.next == nil)
    #expect(try fixture.history(of: "ANN", before: 3).items.map(\.id) == [2, 1])
    #expect(try fixture.history(of: "bob").items.map(\.id) == [61])
    #expect(try fixture.history(of: "bot").items.count == 50)
    #expect(try fixture.history(of: "ann", before: 1) == HistoryPage([]))
    for name in ["eve", "", String(repeating: "x", count: 30)] {
      #expect(try fixture.history(of: name) == HistoryPage([]))
    }
  }

  @Test(arguments: Kind.available)
  func `a leaderboard is ordered by rating, then by name`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let names = ["dan", "Cid", "ann", "ann b", "eve"]
    let ids = try names.map { try fixture.account($0) }
    for (number, pair) in [(0, 1), (2, 3)].enumerated() {
      var match = TestMatch("m\(number)", names[pair.0], names[pair.1])
      match.play(winner: .x, accounts: PerMark(x: ids[pair.0], o: ids[pair.1]))
      match.end()
      try fixture.store(match)
    }
    let items = try fixture.leaderboard().items
    #expect(items.map(\.name) == ["ann", "dan", "Cid", "ann b"])
    #expect(items.map(\.rank) == [1, 2, 3, 4])
    let expected = Rating.updated(PerMark(x: Rating(), o: Rating()), winner: .x)
    let points = [expected.x.rounded, expected.o.rounded]
    #expect(items.map(\.rating) == [points[0], points[0], points[1], points[1]])
    #expect(items.map(\.isProvisional) == [true, true, true, true])
    #expect(items.map(\.won) == [1, 1, 0, 0])
    #expect(items.map(\.lost) == [0, 0, 1, 1])
    #expect(try fixture.leaderboard(of: "four").items == [])
    let ann = try #require(fixture.directory.account(of: try PlayerName("ann")))
    #expect(fixture.directory.rating(of: ann, in: "tictactoe") == points[0])
    #expect(fixture.directory.rating(of: ann, in: "four") == 1_500)
  }

  @Test(arguments: Kind.available)
  func `a game does not count once an account is given up`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let accounts = PerMark(x: try fixture.account("ann"), o: try fixture.account("bob"))
    var match = TestMatch("m1", "ann", "bob")
    match.setAccounts(accounts)
    match.add("gameDidStart")
    match.setAccounts(nil)
    match.add("gameDidEnd", #","result":"draw","reason":"full""#)
    match.play(winner: .x)
    match.end()
    try fixture.store(match)
    #expect(try fixture.leaderboard().items == [])
    #expect(try fixture.history().items.count == 2)
  }

  @Test(arguments: Kind.available)
  func `a replay comes in parts`(kind: Kind) throws {
    let fixture = try kind.fixture()
    var match = TestMatch("m1", "ann", "bob")
    for _ in 0..<200 { match.play(winner: .x) }
    match.add("didSay", #","text":"zoë 🎲""#)
    match.end()
    try fixture.store(match)
    #expect(match.lines.count == 602)
    let header = ReplayHeader(
      match: "m1", game: "tictactoe", players: PerMark(x: "ann", o: "bob"), last: 602)
    let lines = match.lines.map { "\($0)\n" }
    for (seq, next) in [(0, 500), (500, nil), (602, nil), (9_999, nil)] {
      let replay = try fixture.replay(of: "m1", after: seq).get()
      #expect(replay.header == header)
      let part = lines.dropFirst(seq).prefix(500).joined()
      #expect(String(decoding: replay.lines, as: UTF8.self) == part)
      #expect(replay.next == next)
    }
    #expect(try fixture.replay(of: "m2") == .failure(.notFinished))
  }

  /// Games of five players in an order that a generator has chosen.
  private func play(_ fixture: any DirectoryFixture) throws -> (Leaderboard, [HistoryItem]) {
    let names = ["ann", "bob", "cid", "dan", "eve"]
    let ids = try names.map { try fixture.account($0) }
    var generator = SeededChoices(state: 7)
    for number in 0..<12 {
      let x = generator.next(5)
      let o = (x + 1 + generator.next(4)) % 5
      var match = TestMatch("m\(number)", names[x], names[o])
      var accounts = PerMark(x: ids[x], o: ids[o])
      for _ in 0..<1 + generator.next(4) {
        let winner = [Mark.x, .o, nil][generator.next(3)]
        match.play(winner: winner, accounts: generator.next(5) == 0 ? nil : accounts)
        accounts = accounts.swapped
      }
      match.end()
      try fixture.store(match)
    }
    return (try fixture.leaderboard(), try fixture.history().items)
  }

  @Test(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
  func `several servers compute the same ratings as one`() throws {
    let one = try play(try StoredDirectoryFixture())
    let several = try play(try ClusterDirectoryFixture())
    #expect(one.0.items.count == 5)
    #expect(one.0 == several.0)
    #expect(one.1 == several.1)
  }
}

/// A linear congruential generator.
private struct SeededChoices {
  var state: UInt64

  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}
