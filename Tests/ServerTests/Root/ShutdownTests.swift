import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ShutdownTests {
  private let server = TestServer()

  @Test func `a shutdown ends every match without an end of its game, then sends bye`() throws {
    let stranger = server.client()
    let idle = server.client(as: "idle")
    let waiting = server.client(as: "waiting")
    waiting.say("start")
    let (x, o) = server.match()
    let (winner, loser) = server.wonMatchBeside(names: ("c", "d"))
    winner.say("start")
    _ = loser.takeLines()
    server.control.shutDown()
    server.network.run()
    for client in [stranger, idle, waiting] {
      #expect(try client.hearTypes() == ["bye shutdown"])
      #expect(client.isClosedByServer)
    }
    for client in [x, o, winner, loser] {
      let lines = try client.hear()
      #expect(kinds(lines) == ["matchDidEnd", "bye shutdown"])
      #expect(lines.first?["reason"] == "shutdown")
      #expect(lines.first?["by"] == nil)
      #expect(lines.last?["retry"] == nil)
      #expect(client.isClosedByServer)
      let score: JSON = ["X": client === x || client === o ? 0 : 1, "O": 0, "draws": 0]
      #expect(lines.first?["score"] == score)
    }
    #expect(server.root.children.isEmpty)
    server.clock.advance(by: .seconds(3))
    #expect(server.leaks == [])
    #expect(server.clock.next == nil)
  }

  @Test func `a match against the bot is also shut down`() throws {
    let ann = server.client(as: "ann")
    ann.say("start bot")
    server.control.shutDown()
    server.network.run()
    #expect(try ann.hearTypes() == ["matchDidEnd", "bye shutdown"])
  }

  @Test func `a paused client gets bye after its replies`() throws {
    let slow = server.client(as: "slow")
    slow.stopReading()
    for _ in 0..<100 { slow.sendOnly("help") }
    server.network.run()
    server.control.shutDown()
    #expect(server.clock.next == nil)
    slow.readOn()
    let types = try slow.hearTypes()
    #expect(types.last == "bye shutdown")
    #expect(types.count > 100)
    #expect(Set(types) == ["help", "bye shutdown"])
  }

  @Test func `players who wait or are invited get only bye`() throws {
    let people = ["ann", "bob", "zoe"].map { server.client(as: $0) }
    for (person, other) in zip(people, ["bob", "zoe", "ann"]) { person.say("start \(other)") }
    for person in people { _ = person.takeLines() }
    server.control.shutDown()
    server.network.run()
    for person in people {
      #expect(kinds(try person.takeLines().map { try JSON($0) }) == ["bye shutdown"])
    }
  }

  @Test func `a shutdown without clients does nothing`() {
    server.control.shutDown()
    #expect(server.root.children.isEmpty)
  }
}

extension TestServer {
  /// Like `wonMatch`, for players with other names.
  fileprivate func wonMatchBeside(
    names: (x: String, o: String)
  ) -> (x: LineClient, o: LineClient) {
    let clients = match(names.x, names.o)
    playFirstRow(clients.x, clients.o)
    _ = (clients.x.takeLines(), clients.o.takeLines())
    return clients
  }
}
