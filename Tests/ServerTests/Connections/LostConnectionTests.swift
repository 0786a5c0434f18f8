import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LostConnectionTests {
  private let server = TestServer()

  @Test func `complete lines before the end of the input get their replies`() throws {
    let client = server.client()
    for line in ["login ann", "list", "start bot", "place 2 2", "ping"] { client.sendOnly(line) }
    client.end()
    let types = try client.hearTypes()
    #expect(types.prefix(4) == ["didLogin", "players", "gameDidStart", "boardDidChange"])
    #expect(types.last == "pong")
    #expect(client.isClosedByServer)
    #expect(server.root.children.count == 1)
  }

  @Test func `bytes after the last line feed are not a line`() throws {
    let connection = server.connect()
    let client = LineClient(connection, on: server.network)
    connection.send(Array("login ann\nlist".utf8).span)
    client.end()
    #expect(try client.hearTypes() == ["hello", "didLogin"])
  }

  @Test func `a move before the end of the input counts`() throws {
    let (x, o) = server.match()
    for column in 0...1 {
      x.say("place 0 \(column)")
      o.say("place 1 \(column)")
    }
    _ = (x.takeLines(), o.takeLines())
    x.sendOnly("place 0 2")
    x.end()
    let lines = try o.hear()
    #expect(kinds(lines) == ["boardDidChange", "gameDidEnd", "presenceDidChange"])
    #expect(lines.dropFirst().first?["reason"] == "line")
    #expect(lines.last?["mark"] == "X")
  }

  @Test func `a connection that ends at once leaves nothing behind`() throws {
    for isCut in [true, false] {
      let client = server.client()
      if isCut { client.cut() } else { client.end() }
      #expect(client.takeLines() == [])
    }
    let ann = server.client(as: "ann")
    #expect(try ann.ask("list").first?["items"]?.elements.count == 1)
  }

  @Test(arguments: ["", "start", "start zoe", "start bot\nleave", "start bot\nresign\nleave"])
  func `the name of a lost connection is free at once outside of a match`(command: String) throws {
    let zoe = server.client(as: "zoe")
    for isCut in [true, false] {
      let ann = server.client(as: "ann")
      ann.say(command)
      if isCut { ann.cut() } else { ann.end() }
      #expect(server.root.children.isEmpty)
      let items = try zoe.ask("list").last?["items"]
      #expect(items == [["name": "zoe", "place": "lobby"]])
    }
  }

  @Test func `a lost connection is in no queue`() throws {
    let ann = server.client(as: "ann")
    ann.say("start")
    ann.cut()
    #expect(try server.client(as: "bob").askTypes("start") == ["didQueue"])
  }

  @Test func `a match that loses both players leaves nothing behind`() throws {
    let (x, o) = server.match()
    x.cut()
    o.end()
    server.clock.advance(by: .seconds(60))
    #expect(server.root.children.isEmpty)
    server.clock.advance(by: .seconds(2))
    #expect(server.leaks == [])
    #expect(server.clock.next == nil)
  }

  @Test func `quit gets a reply in every place, and its bye is the last line`() throws {
    let clients = [
      server.client(), server.client(as: "ann"), server.client(as: "bob"), server.match("c", "d").o,
    ]
    clients[2].say("start zoe")
    clients[2].say("start")
    for client in clients {
      client.sendOnly(#"{"type":"quit","id":1}"#)
      client.sendOnly("ping")
      server.network.run()
      let lines = try client.hear()
      #expect(kinds(lines).last == "bye quit")
      #expect(lines.last?["retry"] == nil)
      #expect(lines.first?["re"] == 1)
      #expect(client.isClosedByServer)
    }
  }
}
