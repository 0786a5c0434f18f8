import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// Accounts of a server with a store, as the operator and the players see them.
@Suite struct OperatorAccountTests {
  private let fixture: StoreFixture
  private let socket: AdminServer
  private var server: TestServer { fixture.server }

  init() throws {
    fixture = try StoreFixture()
    socket = AdminServer(fixture.server.commands, timers: fixture.server.clock)
  }

  private func admin() -> LineClient {
    let (near, far) = server.network.connect()
    socket.accept(far)
    let client = LineClient(near, on: server.network)
    server.network.run()
    _ = client.takeLines()
    return client
  }

  private func ask(_ client: LineClient, _ line: String) throws -> [JSON] {
    try fixture.ask(client, line)
  }

  private func registered(_ name: String) throws -> LineClient {
    let client = server.client(as: name)
    _ = client.takeLines()
    #expect(kinds(try ask(client, #"register "correct horse""#)) == ["didRegister"])
    return client
  }

  @Test func `a password that works once is shown once, and the player chooses another`() throws {
    let ann = try registered("ann")
    let reply = try #require(try ask(admin(), "password ann").first)
    #expect(reply["type"] == "password")
    let password = try #require(reply["password"]?.text)
    // Whoever has the name now may not be its owner.
    #expect(try ann.hear().last?["code"] == "kicked")
    let client = server.client()
    #expect(kinds(try ask(client, #"login ann "correct horse""#)) == ["wrongPassword"])
    let login = try ask(client, "login ann \(password)")
    #expect(kinds(login) == ["didLogin", "announcement"])
    #expect(login[1]["text"]?.text?.contains("type register") == true)
    _ = try ask(client, "quit")
    let again = server.client()
    let refusal = try #require(try ask(again, "login ann \(password)").first)
    #expect(refusal["code"] == "wrongPassword")
    #expect(refusal["message"]?.text?.hasPrefix("That password worked only once") == true)
    #expect(try ask(admin(), "account ann").first?["password"] == "spent")
    let next = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    _ = try ask(again, "login ann \(next)")
    #expect(kinds(try ask(again, #"register "my own horse" \#(next)"#)) == ["didRegister"])
    _ = try ask(again, "quit")
    #expect(kinds(try ask(server.client(), #"login ann "my own horse""#)) == ["didLogin"])
  }

  @Test func `a password that works once works again after a lost connection`() throws {
    _ = try ask(registered("ann"), "quit")
    let password = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    for _ in 1...2 {
      let client = server.client()
      #expect(kinds(try ask(client, "login ann \(password)")) == ["didLogin", "announcement"])
      client.cut()
    }
    let client = server.client()
    _ = try ask(client, "login ann \(password)")
    #expect(kinds(try ask(client, #"register "my own horse" \#(password)"#)) == ["didRegister"])
    client.cut()
    #expect(kinds(try ask(server.client(), "login ann \(password)")) == ["wrongPassword"])
  }

  @Test(arguments: [false, true])
  func `a match waits for the password of the operator`(isAway: Bool) throws {
    let ann = server.client()
    let token = try #require(try ask(ann, "login ann").first?["token"]?.text)
    _ = try ask(ann, #"register "correct horse""#)
    let bob = server.client(as: "bob")
    _ = try ask(ann, "start bob")
    #expect(kinds(try ask(bob, "start ann")).last == "gameDidStart")
    if isAway {
      ann.cut()
      _ = try bob.hear()
    }
    let password = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    // Whoever has the seat at that time may not be the owner of the name.
    let bye = try ann.hear().last
    #expect(isAway || bye?["code"] == "kicked" && bye?["retry"] == 0)
    #expect(try bob.hearTypes() == (isAway ? [] : ["presenceDidChange"]))
    #expect(kinds(try ask(server.client(), "resume \(token)")) == ["unknownToken"])
    #expect(kinds(try ask(server.client(), #"login ann "correct horse""#)) == ["wrongPassword"])
    let back = try ask(server.client(), "login ann \(password)")
    #expect(kinds(back).first == "didLogin" && kinds(back).contains("matchSnapshot"))
    #expect(back.first?["place"]?.text == "playing")
  }

  @Test(arguments: [false, true])
  func `a second password disconnects whoever came with the first one`(hasChosen: Bool) throws {
    _ = try ask(registered("ann"), "quit")
    let first = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    let ann = server.client()
    _ = try ask(ann, "login ann \(first)")
    if hasChosen { _ = try ask(ann, #"register "battery staple" "\#(first)""#) }
    let second = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    let bye = try ann.hear().last
    #expect(bye?["code"] == "kicked" && bye?["retry"] == 0)
    #expect(kinds(try ask(server.client(), "login ann \(second)")).first == "didLogin")
  }

  /// Nobody knows whether its player has read that another one is needed.
  @Test func `a password that works once works again after the server has died`() throws {
    _ = try ask(registered("ann"), "quit")
    let password = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    #expect(kinds(try ask(server.client(), "login ann \(password)")).first == "didLogin")
    try fixture.restart()
    let client = server.client()
    #expect(kinds(try ask(client, "login ann \(password)")) == ["didLogin", "announcement"])
    _ = try ask(client, "quit")
    #expect(kinds(try ask(server.client(), "login ann \(password)")) == ["wrongPassword"])
  }

  @Test func `a password that works once outlives a restart, and so does its use`() throws {
    _ = try ask(registered("ann"), "quit")
    let password = try #require(try ask(admin(), "password ann").first?["password"]?.text)
    try fixture.restart()
    let ann = server.client()
    let token = try #require(try ask(ann, "login ann \(password)").first?["token"]?.text)
    let resumed = server.client()
    #expect(kinds(try ask(resumed, "resume \(token)")) == ["didLogin", "announcement"])
    _ = try ask(resumed, "quit")
    try fixture.restart()
    #expect(kinds(try ask(server.client(), "login ann \(password)")) == ["wrongPassword"])
  }

  @Test func `forget ends the match, and takes the name out of everything`() throws {
    let (ann, bob) = (try registered("ann"), try registered("bob"))
    ann.say("start bob")
    bob.say("start ann")
    let match = server.onlyMatch
    let eve = server.client(as: "eve")
    _ = (ann.takeLines(), bob.takeLines(), eve.takeLines())
    #expect(kinds(try ask(ann, "say my address is 7 Elm Street")) == ["didSay"])
    server.playFirstRow(ann, bob)
    let reply = try ask(admin(), "forget ANN").first
    #expect(
      reply?["message"] == "The name ANN is taken out of the account, 1 game and 1 match.")
    #expect(try ann.hear().last?["code"] == "kicked")
    #expect(try bob.hearTypes().last == "matchDidEnd")
    let replay = try ask(eve, "replay \(match)")
    #expect(kinds(replay).last == "replayDidEnd")
    let players: JSON = ["X": "someone", "O": "bob"]
    #expect(replay[0]["players"] == players)
    #expect(replay[1]["players"] == players)
    #expect(replay.first { $0.type == "didSay" }?["text"] == "…")
    #expect(try ask(eve, "history ann").first?["items"]?.elements == [])
    #expect(try ask(eve, "leaderboard").first?["items"]?.elements.count == 1)
    #expect(kinds(try ask(server.client(), "login ann")) == ["didLogin"])
    // The match still follows the rules, and the results agree with it.
    let data = try StoredData(fixture.folder.path)
    let archive = try #require(data.archive)
    #expect(try VerifyTool.archived(match, archive, ResultsByMatch(archive, isForAll: true)) != nil)
    let name = Data(#""ann""#.utf8)
    let lines = try #require(try archive.match(match)?.lines)
    #expect(Data(lines).range(of: name) == nil)
  }

  @Test func `the remarks of a spectator go too`() throws {
    let (x, o) = server.match("ann", "bob")
    let match = server.onlyMatch
    let eve = server.client(as: "eve")
    eve.say("watch \(match)")
    eve.say("say well played, ann")
    server.playFirstRow(x, o)
    x.say("leave")
    fixture.settle()
    #expect(
      try ask(admin(), "forget eve").first?["message"]
        == "The name eve is taken out of 1 match.")
    let archive = try #require(try StoredData(fixture.folder.path).archive)
    let lines = String(decoding: try #require(try archive.match(match)?.lines), as: UTF8.self)
    #expect(!lines.contains("eve") && !lines.contains("well played"))
    #expect(lines.contains(#""from":"someone","text":"…""#))
  }

  @Test func `nothing is left to forget of a stranger, and a ban stays`() throws {
    let admin = admin()
    _ = try ask(admin, "ban ann")
    #expect(
      try ask(admin, "forget ann").first?["message"]
        == "Nothing was kept of ann. The ban of the name stays; see bans.")
    #expect(kinds(try ask(admin, "forget bot")) == ["badName"])
  }

  @Test func `accounts and account say who is online`() throws {
    let (ann, admin) = (try registered("ann"), admin())
    _ = try ask(registered("bob"), "quit")
    let lines = try ask(admin, "accounts")
    #expect(lines.first == ["type": "accounts", "count": 2])
    #expect(
      lines.dropFirst() == [
        ["type": "account", "name": "ann", "since": 0, "online": true],
        ["type": "account", "name": "bob", "since": 0, "online": false],
      ])
    #expect(try ask(admin, "account ann").first?["online"] == true)
    #expect(kinds(try ask(admin, "account cid")) == ["unknownPlayer"])
    #expect(ann.takeLines() == [])
  }

  @Test func `compact makes the archive smaller while a game runs`() throws {
    let (x, o) = server.match()
    let archive = try #require(try StoredData(fixture.folder.path, .readWrite).archive)
    try archive.database.execute("CREATE TABLE ballast (bytes BLOB)")
    try archive.database.execute("INSERT INTO ballast VALUES (randomblob(1000000))")
    try archive.database.execute("DROP TABLE ballast")
    let admin = admin()
    admin.sendOnly("compact")
    server.network.run()
    server.playFirstRow(x, o)
    #expect(try o.hearTypes().last == "gameDidEnd")
    fixture.settle()
    let message = try #require(try admin.hear().first?["message"]?.text)
    let sizes = message.matches(of: /[0-9,]+/).compactMap {
      Int($0.0.replacing(",", with: ""))
    }
    #expect(sizes.count == 2)
    #expect(sizes[0] > sizes[1] + 900_000)
    _ = x.takeLines()
    #expect(try ask(x, "history").first?["items"]?.elements.count == 1)
  }

  @Test(arguments: ["accounts", "account ann", "password ann", "forget ann", "compact"])
  func `a server that keeps nothing refuses`(line: String) throws {
    let fixture = try AdminFixture()
    #expect(kinds(try fixture.admin().ask(line)) == ["unavailable"])
  }
}
