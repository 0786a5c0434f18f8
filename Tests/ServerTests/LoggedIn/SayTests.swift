import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct SayTests {
  private let server = TestServer()

  @Test func `everyone in the match gets a message, which is also the reply to its sender`() throws
  {
    let (x, o) = server.match()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    for client in [x, o, eve] { _ = client.takeLines() }
    let lines = try o.ask(#"{"type":"say","text":"good \"luck\"","id":8}"#)
    let said: JSON = [
      "type": "didSay", "match": .string(server.onlyMatch), "seq": 2, "from": "bob",
      "mark": "O", "text": #"good "luck""#,
    ]
    #expect(lines.map { $0.without("re") } == [said])
    #expect(lines.first?["re"] == 8)
    #expect(try x.hear() == [said])
    #expect(try eve.hear() == [said])
    #expect(try eve.ask("say  go  on ").first?["text"] == "go  on")
    let heard = try x.hear()
    #expect(heard.first?["from"] == "eve")
    #expect(heard.first?["mark"] == nil)
  }

  @Test func `players can chat between games, and other matches do not get it`() throws {
    let (x, o) = server.wonMatch()
    let (c, d) = server.match("cid", "dan")
    #expect(try x.askTypes("say again?") == ["didSay"])
    #expect(try o.hearTypes() == ["didSay"])
    #expect(try c.hear() + d.hear() == [])
  }

  @Test func `a move with a number still counts after a message`() throws {
    let (x, o) = server.match()
    o.say("say hello")
    #expect(try x.askTypes("place 0 0 1") == ["didSay", "boardDidChange"])
  }

  @Test func `endless chat does not close any connection`() throws {
    let (x, o) = server.match()
    o.stopReading()
    for _ in 0..<3_000 { x.sendOnly("say \(String(repeating: "😀", count: 200))") }
    server.network.run()
    let refused = try x.hear().filter { $0["type"] == "error" }
    #expect(refused.count > 2_000)
    #expect(kinds(refused).first == "tooFast")
    #expect(refused.first?["retry"] == 1_000)
    #expect(refused.first?["field"] == nil)
    o.readOn()
    #expect(!o.isClosedByServer)
    #expect(try x.askTypes("say hi") == ["didSay"])
  }

  @Test func `a session can send ten messages at once, then five a second`() throws {
    let server = TestServer(limits: ConnectionLimits(perSecond: 1_000, burst: 4_000))
    let (x, o) = server.match()
    for number in 1...10 { #expect(try x.askTypes("say \(number)") == ["didSay"]) }
    for _ in 1...30 {
      let lines = try x.ask("say 11")
      #expect(kinds(lines) == ["tooFast"])
      #expect(lines.first?["retry"] == 200)
      #expect(lines.first?["field"] == nil)
    }
    #expect(try o.hear().count == 10)
    // The limit applies only to this session, and only to chat.
    #expect(try o.askTypes("say hi") == ["didSay"])
    #expect(try x.askTypes("place 0 0") == ["didSay", "boardDidChange"])
    var said = 0
    for _ in 0..<50 {
      server.clock.advance(by: .milliseconds(100))
      if try x.askTypes("say more") == ["didSay"] { said += 1 }
    }
    #expect(said == 25)
  }

  @Test func `a spectator's messages are limited too, and a refused one does not count`() throws {
    let server = TestServer(limits: ConnectionLimits(perSecond: 1_000, burst: 4_000))
    let (x, o) = server.match()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    o.stopReading()
    for _ in 0..<10 { x.sendOnly("say \(String(repeating: "😀", count: 200))") }
    server.network.run()
    for _ in 0..<20 where try eve.askTypes("say hi").last != "tooFast" {}
    o.readOn()
    _ = eve.takeLines()
    for _ in 0..<10 { #expect(try eve.askTypes("say hi") == ["didSay"]) }
    #expect(try eve.askTypes("say hi") == ["tooFast"])
  }

  @Test func `without a limit on lines there is none on chat`() throws {
    let server = TestServer(limits: ConnectionLimits(perSecond: nil, burst: 10))
    let (x, _) = server.match()
    for _ in 1...50 { #expect(try x.askTypes("say hi") == ["didSay"]) }
  }

  @Test func `a player who is slightly behind gets everything except chat from spectators`() throws
  {
    let (x, o) = server.match()
    let spectator = server.client(as: "eve")
    spectator.say("watch \(server.onlyMatch)")
    _ = spectator.takeLines()
    o.stopReading()
    let text = String(repeating: "😀", count: 200)
    for _ in 0..<20 { x.sendOnly("say \(text)") }
    server.network.run()
    #expect(try spectator.hear().count == 20)
    #expect(try spectator.askTypes("say hello") == ["tooFast"])
    #expect(try x.ask("say hello").last?["type"] == "didSay")
    o.readOn()
    #expect(try spectator.askTypes("say hello").last == "didSay")
  }
}
