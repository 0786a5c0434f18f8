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

private final class SlowDirectory: GuestDirectory {
  private var answers: [(CommandError?) -> Void] = []
  private(set) var subjects: [DirectorySubject] = []

  override var isShared: Bool { true }

  override func locate(
    _ subject: DirectorySubject, answer: @escaping (CommandError?) -> Void
  ) {
    subjects.append(subject)
    answers.append(answer)
  }

  func answer(_ refusal: CommandError?) { answers.removeFirst()(refusal) }
}
