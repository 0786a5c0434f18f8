import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// A directory and what stands behind it.
protocol DirectoryFixture: AnyObject {
  var directory: any Directory { get }
  /// Lets time pass until something is true.
  func wait(until isDone: () -> Bool) throws
  /// A session with a name begins.
  func use(_ name: PlayerName) throws
  /// Stores a match that has ended, and waits until its results are written.
  func store(_ match: TestMatch) throws
}

/// Passwords that cost no time.
struct QuickPasswords: PasswordHashing {
  func hash(_ password: String) -> String? { "quick \(password)" }
  func matches(_ password: String, _ hash: String?) -> Bool { hash == self.hash(password) }
}

final class StoredDirectoryFixture: DirectoryFixture {
  private let fixture: StoreFixture
  var directory: any Directory { fixture.recovery.directory }

  init() throws { fixture = try StoreFixture(games: [.ticTacToe, .other]) }

  func wait(until isDone: () -> Bool) throws {
    fixture.settle()
    try #require(isDone())
  }

  func use(_ name: PlayerName) {}

  func store(_ match: TestMatch) {
    match.store(in: fixture.recovery.store)
    fixture.settle()
  }
}

/// A node's directory over an engine of its own, or of another node.
final class ClusterDirectoryFixture: DirectoryFixture {
  let redis: RedisServer
  let engine: UnreliableRedis
  let cluster: ClusterDirectory
  private let loop: EventLoop
  private let link: RedisLink
  private let worker = ManualWorker()
  var directory: any Directory { cluster }

  init(_ other: ClusterDirectoryFixture? = nil) throws {
    redis = try other?.redis ?? RedisServer.withUsers()
    let loop = try other?.loop ?? EventLoop()
    self.loop = loop
    link = RedisLink(
      try RedisAddress(redis.nodeURL), replicas: 0, loop: loop,
      random: RandomSource())
    engine = UnreliableRedis(link)
    cluster = ClusterDirectory(
      engine: engine,
      passwords: PasswordQueue(QuickPasswords(), worker: worker, timers: loop), timers: loop,
      games: GameRegistry([.ticTacToe, .other]),
      now: { Date(timeIntervalSince1970: 1_732_000_000) })
    link.start()
    try waitForEngine()
  }

  func waitForEngine() throws { try wait { link.isConnected } }

  func wait(until isDone: () -> Bool) throws {
    let end = loop.preciseNow + .seconds(60)
    while !isDone() {
      try #require(loop.preciseNow < end)
      try loop.turn(wait: .milliseconds(5))
      worker.run()
    }
  }

  func use(_ name: PlayerName) throws {
    let error: CommandError? = try answer { cluster.load(name, answer: $0) }
    #expect(error == nil)
  }

  func store(_ match: TestMatch) throws {
    try append(match)
    cluster.didStore(match.records, of: match.id)
    try finish(match.id)
  }

  /// Waits until the results of a match are written.
  func finish(_ match: String) throws {
    var isDone = false
    cluster.matchDidEnd(match) { isDone = true }
    try wait { isDone }
  }

  /// Writes the stream of a match in two entries.
  func append(_ match: TestMatch, isFinished: Bool = true, isWhole: Bool = true) throws {
    var claim = StreamEntry(EntryID(term: 1, number: 0), after: nil)
    claim.claim = "north 1 nonce"
    var entry = StreamEntry(
      EntryID(term: 1, number: 2), after: isWhole ? claim.id : EntryID(term: 1, number: 1))
    entry.records = match.records
    entry.isFinished = isFinished
    var commands = RedisCommands()
    claim.append(to: match.id, in: &commands)
    entry.append(to: match.id, in: &commands)
    let replies: [RedisReply]? = try answer {
      link.send(commands, confirmed: .never, answer: $0)
    }
    #expect(replies?.count == 2)
  }

  func reply(to words: String...) throws -> RedisReply? {
    var commands = RedisCommands()
    commands.add(words)
    let replies: [RedisReply]? = try answer {
      link.send(commands, confirmed: .never, answer: $0)
    }
    return replies?.first
  }
}

/// An engine some of whose replies are lost, although it has carried out the commands.
final class UnreliableRedis: Redis {
  private let engine: any Redis
  /// The number of requests up to now, and those whose replies are lost.
  private(set) var requests = 0
  private var lost: Set<Int> = []

  init(_ engine: any Redis) { self.engine = engine }

  var isConnected: Bool { engine.isConnected }

  /// Loses the reply to a request: 1 is the next one.
  func lose(_ number: Int) { lost.insert(requests + number) }

  func send(
    _ commands: RedisCommands, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void
  ) {
    requests += 1
    let isLost = lost.contains(requests)
    engine.send(commands, confirmed: confirmed) { answer(isLost ? nil : $0) }
  }

  func reconnect() { engine.reconnect() }
}

extension DirectoryFixture {
  /// Waits for the answer to a question.
  func answer<Value>(_ ask: (@escaping (Value) -> Void) throws -> Void) throws -> Value {
    var value: Value?
    try ask { value = $0 }
    try wait { value != nil }
    return try #require(value)
  }

  /// Returns the reason why a command was refused, at once or later.
  private func refusal(
    _ ask: (@escaping (Result<Void, CommandError>) -> Void) throws -> Void
  ) throws -> CommandError? {
    do {
      try (try answer(ask) as Result<Void, CommandError>).get()
      return nil
    } catch let error as CommandError {
      return error
    }
  }

  func register(
    _ name: String, _ password: String = "correct horse", old: String? = nil
  ) throws -> CommandError? {
    let name = try PlayerName(name)
    return try refusal {
      try directory.register(
        name, password: password, old: old, from: .ofNobody, isCurrent: { true }, answer: $0)
    }
  }

  func unregister(
    _ name: String, _ password: String = "correct horse"
  ) throws -> CommandError? {
    let name = try PlayerName(name)
    return try refusal {
      try directory.unregister(
        name, password: password, from: .ofNobody, isCurrent: { true }, willRemove: {},
        answer: $0)
    }
  }

  func check(_ password: String, of name: String) throws -> PasswordCheck {
    let name = try PlayerName(name)
    return try answer {
      try directory.checkPassword(password, of: name, from: .ofNobody, answer: $0)
    }
  }

  /// Registers a name, and returns the id of its account.
  func account(_ name: String) throws -> Int {
    try use(try PlayerName(name))
    #expect(try register(name) == nil)
    return try #require(directory.account(of: try PlayerName(name))).id
  }

  func history(of player: String? = nil, before: Int? = nil) throws -> HistoryPage {
    let result: Result<HistoryPage, CommandError> = try answer {
      directory.history(of: player, before: before, for: .ofNobody, answer: $0)
    }
    return try result.get()
  }

  func leaderboard(of game: String = "tictactoe") throws -> Leaderboard {
    let result: Result<Leaderboard, CommandError> = try answer {
      directory.leaderboard(of: game, for: .ofNobody, answer: $0)
    }
    return try result.get()
  }

  func replay(
    of match: String, after seq: Int = 0
  ) throws -> Result<StoredReplay, CommandError> {
    try answer { directory.replay(of: match, after: seq, for: .ofNobody, answer: $0) }
  }
}
