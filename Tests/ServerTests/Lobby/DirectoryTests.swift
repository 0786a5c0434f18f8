import Shared
import TestSupport
import Testing

@testable import Server

/// A directory that answers later, as one of several servers would.
@Suite struct DirectoryTests {
  private let directory = SlowDirectory()
  private let server: TestServer

  init() { server = TestServer(directory: directory) }

  @Test func `a resume waits for the directory, and only its connection does`() throws {
    let ann = server.client()
    let token = try #require(try ann.ask("login ann").first?["token"]?.text)
    let other = server.client()
    #expect(try other.ask("resume \(token)").isEmpty)
    other.sendOnly("ping")
    #expect(kinds(try ann.ask("ping")) == ["pong"])
    #expect(directory.subjects == [.session(token: token)])
    directory.answer(nil)
    server.network.run()
    #expect(kinds(try other.hear()) == ["didLogin", "pong"])
    #expect(kinds(try ann.hear()) == ["bye takenOver"])
  }

  @Test func `a start waits for the directory, which may refuse it`() throws {
    let ann = server.client(as: "ann")
    _ = ann.takeLines()
    #expect(try ann.ask("start bob").isEmpty)
    #expect(directory.subjects == [.opponent(name: "bob")])
    directory.answer(CommandError(.unavailable, retry: .seconds(1)))
    server.network.run()
    #expect(kinds(try ann.hear()) == ["unavailable"])
    #expect(try ann.ask("start bot").isEmpty)
    directory.answer(nil)
    server.network.run()
    #expect(kinds(try ann.hear()) == ["gameDidStart"])
  }

  @Test func `an answer that comes after the connection's end is nobody's`() throws {
    let ann = server.client(as: "ann")
    _ = ann.takeLines()
    ann.sendOnly("start bot")
    server.network.run()
    ann.cut()
    directory.answer(nil)
    server.network.run()
    #expect(server.serverLog.counters.sessions.now == 0)
    #expect(server.control.matchCount == 0)
  }
}

private final class SlowDirectory: Directory {
  private let guests = GuestDirectory()
  private var answers: [(CommandError?) -> Void] = []
  private(set) var subjects: [DirectorySubject] = []

  var isShared: Bool { true }
  var keepsAccounts: Bool { false }
  var hasRoom: Bool { false }

  func locate(_ subject: DirectorySubject, answer: @escaping (CommandError?) -> Void) {
    subjects.append(subject)
    answers.append(answer)
  }

  func answer(_ refusal: CommandError?) { answers.removeFirst()(refusal) }

  func account(of name: PlayerName) -> Account? { nil }
  func rating(of account: Account, in game: String) -> Int { guests.rating(of: account, in: game) }

  func checkPassword(
    _ password: String, of name: PlayerName, from usage: AddressUsage,
    answer: @escaping (PasswordCheck) -> Void
  ) throws(CommandError) {
    try guests.checkPassword(password, of: name, from: usage, answer: answer)
  }

  func register(
    _ name: PlayerName, password: String, old: String?, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, answer: @escaping (Result<Void, CommandError>) -> Void
  ) throws(CommandError) {
    throw CommandError(.unavailable)
  }

  func unregister(
    _ name: PlayerName, password: String, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, willRemove: @escaping () -> Void,
    answer: @escaping (Result<Void, CommandError>) -> Void
  ) throws(CommandError) {
    throw CommandError(.unavailable)
  }

  func history(
    of player: String?, before: Int?, for usage: AddressUsage,
    answer: @escaping (Result<HistoryPage, CommandError>) -> Void
  ) {
    guests.history(of: player, before: before, for: usage, answer: answer)
  }

  func leaderboard(
    of game: String, for usage: AddressUsage,
    answer: @escaping (Result<Leaderboard, CommandError>) -> Void
  ) {
    guests.leaderboard(of: game, for: usage, answer: answer)
  }

  func replay(
    of match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping (Result<StoredReplay, CommandError>) -> Void
  ) {
    guests.replay(of: match, after: seq, for: usage, answer: answer)
  }
}
