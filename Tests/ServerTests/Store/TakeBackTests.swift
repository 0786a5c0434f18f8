import Shared
import TestSupport
import Testing

@testable import Server

/// The seat of a registered player whose connection is lost in a match: the password takes it back
/// without the token.
@Suite struct TakeBackTests {
  private let fixture: StoreFixture
  private let x: LineClient
  private let o: LineClient
  private let token: String
  private var server: TestServer { fixture.server }

  /// Begins a match of Ann, who is registered, with a guest.
  init() throws {
    fixture = try StoreFixture(games: [.ticTacToe])
    (x, o) = (fixture.server.client(), fixture.server.client(as: "bob"))
    token = try #require(try x.ask("login Ann").first?["token"]?.text)
    _ = try ask(x, "register \"correct horse\"")
    _ = try ask(x, "start bob")
    _ = try ask(o, "start Ann")
    _ = try x.hear()
  }

  private func ask(_ client: LineClient, _ line: String) throws -> [JSON] {
    try fixture.ask(client, line)
  }

  private func code(_ client: LineClient, _ line: String) throws -> String? {
    try ask(client, line).first?["code"]?.text
  }

  @Test func `the password takes the seat back, and the match goes on`() throws {
    _ = try ask(x, "place 1 1")
    x.cut()
    let back = server.client()
    let lines = try ask(back, "login ann \"correct horse\"")
    #expect(kinds(lines) == ["didLogin", "matchSnapshot"])
    #expect(lines.first?["name"]?.text == "Ann")
    #expect(lines.first?["place"]?.text == "playing")
    #expect(kinds(try o.hear()).suffix(2) == ["presenceDidChange", "presenceDidChange"])
    #expect(kinds(try ask(o, "place 0 0")) == ["boardDidChange"])
    #expect(kinds(try back.hear()) == ["boardDidChange"])
    #expect(kinds(try ask(back, "place 0 1")) == ["boardDidChange"])
    // The session has one token, the new one.
    back.cut()
    let token = try #require(lines.first?["token"]?.text)
    #expect(try ask(server.client(), "resume \(token)").first?["place"]?.text == "playing")
  }

  @Test func `nobody else gets it`() throws {
    x.cut()
    let stranger = server.client()
    #expect(try code(stranger, "login ann") == "wrongPassword")
    #expect(try code(stranger, "login ann wrongwrong") == "wrongPassword")
    #expect(kinds(try o.hear()).last == "presenceDidChange")
    #expect(server.serverLog.counters.resumes == 0)
    // Wrong passwords count as they do for other names.
    for _ in 0..<2 { _ = try ask(stranger, "login ann wrongwrong") }
    #expect(try code(stranger, "login ann \"correct horse\"") == "tooFast")
  }

  @Test func `the seat of a guest is nobody else's`() throws {
    o.cut()
    #expect(try code(server.client(), "login bob \"correct horse\"") == "nameTaken")
  }

  @Test func `a seat that is not lost stays`() throws {
    #expect(try code(server.client(), "login ann \"correct horse\"") == "nameTaken")
    #expect(kinds(try ask(x, "place 1 1")) == ["boardDidChange"])
  }

  @Test func `a player who returns during the check keeps the seat`() throws {
    x.cut()
    let second = server.client()
    second.sendOnly("login ann \"correct horse\"")
    server.network.run()
    #expect(try server.client().askTypes("resume \(token)").first == "didLogin")
    fixture.settle()
    #expect(try second.hear().first?["code"]?.text == "nameTaken")
  }

  @Test func `a match that ends during the check leaves a new session`() throws {
    x.cut()
    let second = server.client()
    second.sendOnly("login ann \"correct horse\"")
    server.network.run()
    _ = o.takeLines()
    o.sendOnly("leave")
    server.network.run()
    fixture.settle()
    let login = try #require(try second.hear().first)
    #expect(login.type == "didLogin")
    #expect(login["place"] == nil)
  }
}
