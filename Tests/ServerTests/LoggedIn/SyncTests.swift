import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct SyncTests {
  private let server = TestServer()

  @Test func `the events after a number are sent again, the first as the reply`() throws {
    let (x, o) = server.match()
    x.sendOnly("place 0 0")
    server.network.run()
    o.say("place 1 1")
    let told = try x.hear()
    let lines = try x.ask(#"{"type":"sync","seq":1,"id":4}"#)
    #expect(lines.map { $0.without("re") } == told)
    #expect(lines.map { $0["re"] } == [4, nil])
    #expect(try x.ask("sync 0").first?["you"] == "X")
  }

  @Test(arguments: ["sync", "sync 3", "sync 4"])
  func `if there are no missed events, a snapshot is sent`(command: String) throws {
    let (x, o) = server.match()
    x.say("place 0 0")
    o.say("place 1 1")
    _ = x.takeLines()
    let lines = try x.ask(command)
    #expect(kinds(lines) == ["matchSnapshot"])
    #expect(lines.first?["board"] == ["X..", ".O.", "..."])
    #expect(lines.first?["you"] == "X")
    #expect(lines.first?["seq"] == 3)
  }

  @Test func `a spectator gets them without a mark`() throws {
    let (x, _) = server.match()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    x.say("place 0 0")
    _ = eve.takeLines()
    let lines = try eve.ask("sync 0")
    #expect(kinds(lines) == ["gameDidStart", "boardDidChange"])
    #expect(lines.allSatisfy { $0["you"] == nil })
    #expect(try eve.ask("sync").first?["you"] == nil)
  }
}
