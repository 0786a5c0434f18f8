import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LoginTests {
  private let server = TestServer()

  @Test func `a login returns the name as it is written, and a token`() throws {
    let lines = try server.client().ask(#"{"type":"login","name":"  Ann Lee ","id":"x"}"#)
    #expect(lines.count == 1)
    #expect(lines.first?.without("token") == ["type": "didLogin", "re": "x", "name": "Ann Lee"])
    #expect(lines.first?["token"]?.text?.utf8.count == 22)
  }

  @Test func `every login gets a different token`() throws {
    let tokens = try (0..<50).map { _ in try server.client().ask("login").first?["token"]?.text }
    #expect(Set(tokens).count == 50)
    #expect(!tokens.contains(nil))
  }

  @Test func `a password is ignored for a name that is not registered`() throws {
    #expect(try server.client().askTypes("login ann secret") == ["didLogin"])
  }

  @Test(arguments: ["login", #"login """#, #"login "  ""#, #"{"type":"login","name":"\u00a0"}"#])
  func `a login without a name gets the lowest free number`(line: String) throws {
    #expect(try server.client().ask(line).first?["name"] == "Player 1")
    #expect(try server.client().ask(line).first?["name"] == "Player 2")
  }

  @Test func `a number that is free again is assigned next`() throws {
    let clients = (0..<5).map { _ in server.client() }
    for client in clients { client.say("login") }
    clients[3].say("quit")
    clients[1].cut()
    #expect(try server.client().ask("login").first?["name"] == "Player 2")
    #expect(try server.client().ask("login").first?["name"] == "Player 4")
    #expect(try server.client().ask("login").first?["name"] == "Player 6")
  }

  @Test func `a number that a player has taken by name is skipped`() throws {
    let taken = server.client(as: "PLAYER １")
    #expect(try server.client().ask("login").first?["name"] == "Player 2")
    let third = server.client(as: "player 3")
    #expect(try server.client().ask("login").first?["name"] == "Player 4")
    taken.say("quit")
    third.say("quit")
    #expect(try server.client().ask("login").first?["name"] == "Player 1")
    #expect(try server.client().ask("login").first?["name"] == "Player 3")
  }

  @Test func `a number in digits of another script counts as taken`() throws {
    let taken = server.client(as: "\u{420}l\u{430}yer 1")
    #expect(try taken.ask("ping") == [["type": "pong"]])
    #expect(try server.client().ask("login").first?["name"] == "Player 2")
  }

  @Test(arguments: [
    "Player 0", "Player 01", "Player +1", "Player -1", "Player 99999999999999999999", "Player ",
  ])
  func `a name that only looks like a numbered name frees no number`(name: String) throws {
    let first = server.client()
    first.say("login")
    server.client(as: name).say("quit")
    #expect(try server.client().ask("login").first?["name"] == "Player 2")
  }

  @Test(arguments: [
    "bot", "ＢＯＴ", "abcdefghijklmnopqrstuvwxy", "a\u{200B}", #"a\u0007"#, #"a\u001b[2J"#, #"\"a\""#,
    "b\u{43E}t", "bot\u{FE0F}", "b\u{34F}ot", "\u{E0100}bot", "\u{3164}", "\u{2800}", "\u{115F}",
    "\u{301}",
  ])
  func `after a bad name another name can be tried`(name: String) throws {
    let client = server.client()
    let lines = try client.ask(#"{"type":"login","name":"\#(name)"}"#)
    #expect(kinds(lines) == ["badName"])
    #expect(try client.askTypes("start") == ["notLoggedIn"])
    #expect(try client.askTypes("login ann") == ["didLogin"])
  }

  @Test(arguments: ["ann", "ANN", "Ａnn", " ann ", "\u{430}nn"])
  func `another form of a taken name is also taken`(name: String) throws {
    let ann = server.client(as: "Ann")
    let other = server.client()
    #expect(try other.askTypes(#"login "\#(name)""#) == ["nameTaken"])
    ann.say("quit")
    #expect(try other.askTypes(#"login "\#(name)""#) == ["didLogin"])
  }

  @Test func `a second login is refused, with any name`() throws {
    let ann = server.client(as: "ann")
    for name in ["ann", "bob", "bot", ""] {
      #expect(try ann.askTypes("login \"\(name)\"") == ["alreadyLoggedIn"])
    }
    #expect(try server.client().askTypes("login bob") == ["didLogin"])
  }

  @Test(arguments: [false, true])
  func `a name is free as soon as its connection has ended`(isCut: Bool) throws {
    let ann = server.client(as: "ann")
    if isCut { ann.cut() } else { ann.end() }
    #expect(try server.client().askTypes("login ann") == ["didLogin"])
  }
}
