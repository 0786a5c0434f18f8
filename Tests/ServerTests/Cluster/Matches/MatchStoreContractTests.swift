import Shared
import TestSupport
import Testing

@testable import Server

/// What both kinds of `MatchStore` promise: a match goes on, at the next process or at another
/// node, as if nothing had happened.
@Suite struct MatchStoreContractTests {
  enum Kind: CaseIterable {
    case journal
    case engine

    static let available = RedisServer.isInstalled ? allCases : [.journal]

    func make() throws -> any MatchStoreFixture {
      switch self {
      case .journal: try StoreFixture()
      case .engine: try RedisStoreFixture()
      }
    }
  }

  private func resume(
    _ player: Player, after seq: Int?, at fixture: any MatchStoreFixture
  ) throws -> (Player, [JSON]) {
    let client = fixture.server.client()
    let lines = try client.ask("resume \(player.token)\(seq.map { " \($0)" } ?? "")")
    return (try Player(resumed: client, lines, at: fixture.server), lines)
  }

  @Test(arguments: Kind.available)
  func `a running game goes on`(_ kind: Kind) throws {
    let fixture = try kind.make()
    let (ann, bob) = try fixture.server.players()
    try ann.ask("place 1 1")
    try bob.ask("say hello")
    try fixture.crash()
    let (ann2, lines) = try resume(ann, after: 2, at: fixture)
    #expect(
      lines.map(\.type) == [
        "didLogin", "didSay", "presenceDidChange", "presenceDidChange", "presenceDidChange",
      ])
    #expect(lines.map { $0["seq"]?.integer } == [nil, 3, 4, 5, 6])
    let (bob2, _) = try resume(bob, after: 3, at: fixture)
    try bob2.ask("place 0 0")
    _ = try ann2.hear()
    #expect(try ann2.ask("place 1 1").first?["code"]?.text == "cellTaken")
  }

  @Test(arguments: Kind.available)
  func `the board, the score and the marks are as they were`(_ kind: Kind) throws {
    let fixture = try kind.make()
    let (ann, bob) = try fixture.server.playersBetweenGames()
    try bob.ask("start")
    try ann.ask("start")
    _ = try bob.hear()
    try bob.ask("place 0 1")
    try fixture.crash()
    let snapshot = try #require(try resume(ann, after: nil, at: fixture).1.last)
    #expect(snapshot.type == "matchSnapshot")
    #expect(snapshot["you"]?.text == "O")
    #expect(snapshot["board"]?.elements.map(\.text) == [".X.", "...", "..."])
    #expect(snapshot["score"]?["O"]?.integer == 1)
  }

  @Test(arguments: Kind.available)
  func `a request for the next game stands`(_ kind: Kind) throws {
    let fixture = try kind.make()
    let (ann, bob) = try fixture.server.playersBetweenGames()
    try bob.ask("start")
    try fixture.crash()
    #expect(try resume(bob, after: 2, at: fixture).1.last?.type == "didQueue")
    #expect(try resume(ann, after: 2, at: fixture).1.last?.type == "invited")
  }

  @Test(arguments: Kind.available)
  func `both the last token and the one before it are good`(_ kind: Kind) throws {
    for isLast in [true, false] {
      let fixture = try kind.make()
      let (ann, _) = try fixture.server.players()
      let (ann2, _) = try resume(ann, after: 1, at: fixture)
      try fixture.crash()
      let lines = try resume(isLast ? ann2 : ann, after: 1, at: fixture).1
      #expect(lines.first?.type == "didLogin")
    }
  }

  @Test(arguments: Kind.available)
  func `a match that has ended does not come back`(_ kind: Kind) throws {
    let fixture = try kind.make()
    let (ann, _) = try fixture.server.players()
    try ann.ask("leave")
    try fixture.crash()
    #expect(fixture.server.control.matchCount == 0)
    let client = fixture.server.client()
    #expect(try client.ask("resume \(ann.token)").first?["code"]?.text == "unknownToken")
  }

  @Test(arguments: Kind.available)
  func `no match has the id of an earlier one`(_ kind: Kind) throws {
    let fixture = try kind.make()
    var ids: Set<String> = []
    for _ in 0..<2 {
      for _ in 0..<3 {
        let client = fixture.server.client(as: "p\(ids.count)")
        let start = try client.ask("start bot").last { $0.type == "gameDidStart" }
        let id = try #require(start?["match"]?.text)
        #expect(ids.insert(id).inserted)
        client.say("quit")
      }
      try fixture.crash()
    }
  }

  @Test(arguments: Kind.available)
  func `a match goes on after several crashes`(_ kind: Kind) throws {
    let fixture = try kind.make()
    var (ann, bob) = try fixture.server.players()
    for (row, column) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let isAnn = row == 0
      try (isAnn ? ann : bob).ask("place \(row) \(column)")
      try fixture.crash()
      ann = try resume(ann, after: nil, at: fixture).0
      bob = try resume(bob, after: nil, at: fixture).0
    }
    try ann.ask("place 0 2")
    #expect(try bob.hear().contains { $0.type == "gameDidEnd" && $0["winner"]?.text == "X" })
  }
}

/// A server with a store.
protocol MatchStoreFixture: AnyObject {
  var server: TestServer { get }
  /// The server dies after all its output has left. Then another one takes up its matches.
  func crash() throws
}

extension StoreFixture: MatchStoreFixture {
  func crash() throws { try restart() }
}

/// A server whose matches are in an engine. When it dies, another one claims them.
private final class RedisStoreFixture: MatchStoreFixture {
  private let redis: RedisServer
  private let loop: EventLoop
  private let link: RedisLink
  private var store: RedisMatchStore
  private var life = Life(node: "north", incarnation: 1)
  private(set) var server: TestServer

  init() throws {
    redis = try RedisServer.withUsers()
    let loop = try EventLoop()
    self.loop = loop
    link = RedisLink(
      try RedisAddress(redis.nodeURL), replicas: 0, loop: loop,
      random: RandomSource())
    (store, server) = Self.start(link, loop, life)
    link.start()
    try wait { [link] in link.isConnected }
    try join()
  }

  /// As a node does: nobody else begins matches.
  private func join() throws {
    var isDone = false
    link.ask("SADD", "lives", life.text) { _ in isDone = true }
    try wait { isDone }
  }

  private static func start(
    _ link: RedisLink, _ loop: EventLoop, _ life: Life
  ) -> (RedisMatchStore, TestServer) {
    let store = RedisMatchStore(engine: link, gate: loop.outputGate, timers: loop)
    store.begin(life)
    store.hasRoom = true
    return (store, TestServer(seed: UInt64(life.incarnation), store: store))
  }

  /// Turns the loop until something is true. It gives up after a minute.
  private func wait(until isDone: () -> Bool) throws {
    let end = loop.preciseNow + .seconds(60)
    while !isDone() {
      try #require(loop.preciseNow < end)
      try loop.turn(wait: .milliseconds(5))
    }
  }

  func crash() throws {
    server.network.run()
    try loop.turn(wait: .zero)
    try wait { !store.isStoring }
    let before = life
    life = Life(node: "south", incarnation: before.incarnation + 1)
    (store, server) = Self.start(link, loop, life)
    try join()
    var matches: [String]?
    link.ask("SMEMBERS", "o:\(before.text)") { matches = $0?.elements?.compactMap(\.text) }
    try wait { matches != nil }
    let claims = MatchClaims(
      engine: link, games: GameRegistry([.ticTacToe]), random: RandomSource())
    claims.onClaim = { [store, server] claimed in
      for match in claimed { store.take(match.stream) }
      server.control.recover(claimed.map(\.state))
    }
    var isDone = false
    claims.claim(matches ?? [], of: before, for: life) { isDone = true }
    try wait { isDone }
  }
}
