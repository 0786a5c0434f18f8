import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// Accounts, as clients see them.
@Suite struct AccountTests {
  private let fixture: StoreFixture
  private var server: TestServer { fixture.server }

  init() throws {
    fixture = try StoreFixture(games: [.ticTacToe, .other])
  }

  private func ask(_ client: LineClient, _ line: String) throws -> [JSON] {
    try fixture.ask(client, line)
  }

  private func code(_ client: LineClient, _ line: String) throws -> String? {
    try ask(client, line).first?["code"]?.text
  }

  /// Returns a client with a registered name.
  private func registered(_ name: String, _ password: String = "correct horse") throws -> LineClient
  {
    let client = server.client(as: name)
    _ = client.takeLines()
    let answer = try ask(client, "register \"\(password)\"")
    #expect(kinds(answer) == ["didRegister"])
    #expect(answer.first?["name"]?.text == name)
    return client
  }

  @Test func `a registered name needs its password`() throws {
    _ = try ask(registered("Ann"), "quit")
    let client = server.client()
    #expect(try code(client, "login ann") == "wrongPassword")
    #expect(try code(client, "login ann wrongwrong") == "wrongPassword")
    let login = try ask(client, "login ann \"correct horse\"")
    #expect(login.first?.type == "didLogin")
    #expect(login.first?["name"]?.text == "Ann")
    #expect(login.first?["registered"]?.truth == true)
  }

  @Test func `guests log in as ever, with a password or without`() throws {
    let one = try ask(server.client(), "login ann").first
    #expect(one?.type == "didLogin")
    #expect(one?["registered"] == nil)
    #expect(try ask(server.client(), "login bob short").first?.type == "didLogin")
    #expect(try ask(server.client(), "login \"\" whatever").first?["name"]?.text == "Player 1")
  }

  @Test func `commands wait while a password is checked, and are carried out after it`() throws {
    _ = try ask(registered("ann"), "quit")
    let client = server.client()
    client.send(Array("login ann \"correct horse\"\nping\nlist\n".utf8))
    server.network.run()
    #expect(client.takeLines() == [])
    // Nobody else waits.
    #expect(kinds(try server.client().ask("ping")) == ["pong"])
    fixture.settle()
    #expect(kinds(try client.hear()) == ["didLogin", "pong", "players"])
  }

  @Test func `a late answer carries the id of its command`() throws {
    _ = try ask(registered("ann"), "quit")
    let client = server.client()
    client.send(
      Array(
        #"""
        {"type":"login","name":"ann","password":"correct horse","id":"a"}
        {"type":"ping","id":"b"}

        """#.utf8))
    server.network.run()
    fixture.settle()
    #expect(try client.hear().map { $0["re"]?.text } == ["a", "b"])
  }

  @Test func `a connection that ends during the check is not logged in`() throws {
    _ = try ask(registered("ann"), "quit")
    let client = server.client()
    client.sendOnly("login ann \"correct horse\"")
    server.network.run()
    client.cut()
    fixture.settle()
    #expect(server.serverLog.counters.sessions.now == 0)
    let other = server.client()
    #expect(try ask(other, "login ann \"correct horse\"").first?.type == "didLogin")
  }

  @Test func `of two log-ins with one name the second is too late`() throws {
    _ = try ask(registered("ann"), "quit")
    let clients = [server.client(), server.client()]
    for client in clients { client.sendOnly("login ann \"correct horse\"") }
    server.network.run()
    fixture.settle()
    #expect(try clients.flatMap { kinds(try $0.hear()) }.sorted() == ["didLogin", "nameTaken"])
  }

  @Test func `after three wrong passwords from an address every one is too fast`() throws {
    _ = try ask(registered("ann"), "quit")
    let client = server.client()
    for _ in 0..<3 { #expect(try code(client, "login ann wrongwrong") == "wrongPassword") }
    let answer = try ask(client, "login ann \"correct horse\"").first
    #expect(answer?["code"]?.text == "tooFast")
    let retry = try #require(answer?["retry"]?.integer)
    // The name from elsewhere, and other names, are not affected; nor is a missing password counted.
    #expect(try code(server.client(from: "192.0.2.1"), "login ann") == "wrongPassword")
    let elsewhere = server.client(from: "192.0.2.1")
    #expect(try ask(elsewhere, "login ann \"correct horse\"").first?.type == "didLogin")
    _ = try ask(elsewhere, "quit")
    server.clock.advance(by: .milliseconds(retry))
    #expect(try ask(client, "login ann \"correct horse\"").first?.type == "didLogin")
  }

  @Test func `checks that are not done count as wrong`() throws {
    _ = try ask(registered("ann"), "quit")
    let clients = (0..<4).map { _ in server.client() }
    for client in clients { client.sendOnly("login ann wrongwrong") }
    server.network.run()
    #expect(try clients.flatMap { kinds(try $0.hear()) } == ["tooFast"])
    fixture.settle()
    #expect(
      try clients.flatMap { kinds(try $0.hear()) }
        == ["wrongPassword", "wrongPassword", "wrongPassword"])
  }

  @Test func `too many checks at once are too fast`() throws {
    let clients = (0..<PasswordQueue.maxWaitingPerAddress + 1).map { _ in server.client() }
    for (index, client) in clients.enumerated() {
      client.sendOnly("login guest\(index) whatever1")
    }
    server.network.run()
    #expect(try clients.flatMap { kinds(try $0.hear()) } == ["tooFast"])
  }

  @Test func `a password is changed with the old one only`() throws {
    let ann = try registered("ann")
    #expect(try code(ann, "register \"new password\"") == "wrongPassword")
    #expect(try code(ann, "register \"new password\" wrongwrong") == "wrongPassword")
    #expect(kinds(try ask(ann, "register \"new password\" \"correct horse\"")) == ["didRegister"])
    _ = try ask(ann, "quit")
    let client = server.client()
    #expect(try code(client, "login ann \"correct horse\"") == "wrongPassword")
    #expect(try ask(client, "login ann \"new password\"").first?.type == "didLogin")
  }

  @Test(arguments: ["Player 7", "PLAYER 01", "player 99999999999999999", "Рlayer ٣"])
  func `a numbered name cannot be registered`(name: String) throws {
    let client = server.client(as: name)
    _ = client.takeLines()
    #expect(try code(client, "register \"correct horse\"") == "badName")
  }

  @Test func `after unregister the session keeps the name as a guest`() throws {
    let ann = try registered("ann")
    #expect(try code(ann, "unregister wrongwrong") == "wrongPassword")
    #expect(kinds(try ask(ann, "unregister \"correct horse\"")) == ["didUnregister"])
    #expect(try code(ann, "unregister \"correct horse\"") == "wrongPassword")
    _ = try ask(ann, "quit")
    let login = try ask(server.client(), "login ann").first
    #expect(login?.type == "didLogin")
    #expect(login?["registered"] == nil)
  }

  @Test func `accounts outlive the process`() throws {
    _ = try ask(registered("ann"), "quit")
    try fixture.restart()
    let client = server.client()
    #expect(try code(client, "login ann") == "wrongPassword")
    #expect(try ask(client, "login ann \"correct horse\"").first?.type == "didLogin")
  }

  @Test func `a session that resumes knows that its name is registered`() throws {
    let ann = server.client()
    let token = try #require(try ask(ann, "login ann").first?["token"]?.text)
    _ = try ask(ann, "register \"correct horse\"")
    let other = server.client()
    #expect(try ask(other, "resume \(token)").first?["registered"]?.truth == true)
  }

  @Test func `no file holds the password`() throws {
    let ann = try registered("ann", "swordfish and chips")
    _ = try ask(ann, "start bot")
    _ = try ask(ann, "quit")
    let files = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path)
    #expect(files.contains("archive.db"))
    for file in files {
      let bytes = FileManager.default.contents(atPath: "\(fixture.folder.path)/\(file)") ?? Data()
      #expect(bytes.range(of: Data("swordfish".utf8)) == nil)
    }
    let mode = try FileManager.default.attributesOfItem(
      atPath: "\(fixture.folder.path)/archive.db")[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test(arguments: [
    "register \"correct horse\"", "unregister \"correct horse\"", "history", "leaderboard",
    "replay aaaa",
  ])
  func `without a store nothing of it is available`(line: String) throws {
    let server = TestServer()
    #expect(kinds(try server.client().ask(line)) == ["unavailable"])
    #expect(kinds(try server.client(as: "ann").ask(line)) == ["unavailable"])
  }

  @Test(arguments: [
    "register \"correct horse\"", "unregister \"correct horse\"", "history", "leaderboard",
    "replay aaaa",
  ])
  func `all of it needs a log-in`(line: String) throws {
    #expect(kinds(try server.client().ask(line)) == ["notLoggedIn"])
  }
}
