import Shared
import TestSupport
import Testing

@testable import Server

/// Each command is answered by exactly one line that carries its `id`: the first that it causes.
@Suite struct ReplyTests {
  private let server = TestServer()

  @Test(arguments: [
    #""login""#, #""ping""#, #""help""#, #""quit""#, #""start""#, #""nothing""#, #""resume""#,
    #""help","command":"ping""#, #""help","command":"watch""#, #""place","row":0"#,
  ])
  func `not logged in`(command: String) throws {
    try expectOneReply(to: command, by: server.client())
  }

  @Test(arguments: [
    #""login""#, #""start""#, #""cancel""#, #""place""#, #""place","row":0,"col":0"#, #""resign""#,
    #""leave""#, #""list""#, #""list","what":"matches""#, #""list","what":"games""#,
    #""start","opponent":"bot""#, #""start","opponent":"bob""#, #""start","opponent":"zed""#,
    #""quit""#, #""help""#,
  ])
  func `in the lobby`(command: String) throws {
    let ann = server.client(as: "ann")
    let bob = server.client(as: "bob")
    try expectOneReply(to: command, by: ann)
    #expect(try bob.hear().allSatisfy { $0["re"] == nil })
  }

  @Test(arguments: [
    #""start""#, #""cancel""#, #""leave""#, #""quit""#, #""list""#,
  ])
  func `waiting`(command: String) throws {
    let ann = server.client(as: "ann")
    ann.say("start")
    try expectOneReply(to: command, by: ann)
  }

  @Test(arguments: [
    #""start""#, #""cancel""#, #""place","row":0,"col":0"#, #""place","row":9,"col":0"#,
    #""place","row":0,"col":0,"seq":0"#, #""place","row":0,"col":0,"seq":99"#, #""resign""#,
    #""leave""#, #""quit""#, #""list""#, #""help""#,
  ])
  func `in a running game`(command: String) throws {
    let (x, o) = server.match()
    try expectOneReply(to: command, by: x)
    #expect(try o.hear().allSatisfy { $0["re"] == nil })
  }

  @Test(arguments: [
    #""start""#, #""cancel""#, #""place","row":0,"col":0"#, #""resign""#, #""leave""#, #""quit""#,
  ])
  func `between games`(command: String) throws {
    let (x, o) = server.wonMatch()
    try expectOneReply(to: command, by: x)
    #expect(try o.hear().allSatisfy { $0["re"] == nil })
  }

  @Test func `a player who is paired by another player's start gets no re`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    ann.say(#"{"type":"start","id":1}"#)
    let begun = try bob.ask(#"{"type":"start","id":2}"#)
    #expect(begun.map { $0["re"] } == [2])
    #expect(try ann.hear().map { $0["re"] } == [nil])
  }

  @Test func `the reply to the start that begins the next game is gameDidStart`() throws {
    let (x, o) = server.wonMatch()
    #expect(try x.ask(#"{"type":"start","id":1}"#).map { $0["re"] } == [1])
    #expect(try o.ask(#"{"type":"start","id":2}"#).map { $0["re"] } == [nil, 2])
    #expect(try x.hear().map { $0["re"] } == [nil])
  }

  @Test func `the reply to the move that ends a game against the bot is boardDidChange`() throws {
    let ann = server.client(as: "ann")
    ann.say("start bot")
    let lines = try ann.ask(#"{"type":"place","row":2,"col":2,"id":"m"}"#)
    #expect(lines.map { $0["re"] } == ["m"] + lines.dropFirst().map { _ in nil })
    #expect(kinds(lines) == ["boardDidChange", "boardDidChange"])
  }

  @Test(arguments: [
    #"{"type":"place","id":4,"row":0,"col":2}"#, #"{"type": "place", "id": 4, "row": 0, "col": 2}"#,
  ])
  func `a move as programs write it gets one reply with its id`(move: String) throws {
    let (x, o) = server.match()
    #expect(try x.ask(move).map { $0["re"] } == [4])
    #expect(try o.hear().map { $0["re"] } == [nil])
    // So is a refused one, but not the next line without an id.
    #expect(try o.ask(move).map { [$0["code"], $0["re"]] } == [["cellTaken", 4]])
    #expect(try o.ask(#"{"type":"place","row":0,"col":0}"#).map { $0["re"] } == [nil])
    #expect(try x.hear().map { $0["re"] } == [nil])
  }

  @Test(arguments: [
    #"{"type":"ping","id":""}"#, #"{"type":"ping","id":1.0}"#, #"{"type":"ping","id":true}"#,
    #"{"type":"ping","id":[1]}"#, #"{"type":"ping","id":9007199254740992}"#,
    #"{"type":"ping","id":"123456789012345678901234567890123"}"#,
  ])
  func `a bad id is a bad field, and not repeated`(line: String) throws {
    let lines = try server.client().ask(line)
    #expect(kinds(lines) == ["badField"])
    #expect(lines.first?["field"] == "id")
    #expect(lines.first?["re"] == nil)
  }

  @Test(arguments: [
    "-9007199254740991", "0", #""12345678901234567890123456789012""#, #""\u001b\"\\é""#,
  ])
  func `an id is repeated unchanged`(id: String) throws {
    let lines = server.client().say(#"{"type":"ping","id":\#(id)}"#)
    #expect(lines == [#"{"type":"pong","re":\#(id)}"#])
  }

  @Test func `an unused id is not kept for the next line`() throws {
    let client = server.client()
    #expect(try client.ask(#"{"type":"ping","id":1,"#).map { $0["re"] } == [nil])
    #expect(try client.ask(#"{"type":"nothing","id":2}"#).map { $0["re"] } == [2])
    #expect(try client.ask("ping").map { $0["re"] } == [nil])
    #expect(try client.ask(#"{"type":"ping","id":null}"#).map { $0["re"] } == [nil])
  }

  /// `command` is JSON after `"type":`, such as `"ping"` or `"help","command":"ping"`.
  private func expectOneReply(to command: String, by client: LineClient) throws {
    let lines = try client.ask(#"{"id":"me","type":\#(command)}"#)
    #expect(!lines.isEmpty)
    #expect(lines.map { $0["re"] } == ["me"] + lines.dropFirst().map { _ in nil })
    #expect(lines.first?["code"] != "badJSON")
  }
}
