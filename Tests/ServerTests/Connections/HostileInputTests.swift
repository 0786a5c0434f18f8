import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

/// No input closes another player's connection, changes another match, or stops
/// the server.
@Suite struct HostileInputTests {
  /// A game of the series: X and O move in turn, then both ask for the next game.
  private let moves = [
    "place 0 0", "place 1 0", "place 0 1", "place 1 1", "place 0 2", "start", "start",
  ]

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `two clients keep playing undisturbed while others send random lines`(seed: UInt64) throws {
    let server = TestServer(seed: seed)
    let (ann, bob) = server.match()
    let clients = (1...5).map { RandomLineClient(at: server, seed: seed * 100 + $0) }
    var heard: (ann: [JSON], bob: [JSON]) = ([], [])
    for turn in 0..<28 {
      for _ in 0..<8 { for client in clients { client.sendRandomLine() } }
      (isAnns(turn) ? ann : bob).sendOnly(moves[turn % moves.count])
      server.network.run()
      heard.ann += try ann.hear()
      heard.bob += try bob.hear()
    }
    let quiet = try quietMatch()
    #expect(heard.ann.map { $0.without("match") } == quiet.ann)
    #expect(heard.bob.map { $0.without("match") } == quiet.bob)
    #expect(heard.ann.filter { $0["type"] == "gameDidEnd" }.count == 4)
    #expect(clients.allSatisfy { $0.visits > 1 })
    for client in clients { client.leave() }
    server.network.run()
    try expectLines(of: clients)
    // By then their sessions have ended.
    server.clock.advance(by: .seconds(60))
    #expect(try ann.ask("list").first?["items"]?.elements.count == 2)
    #expect(try bob.ask("list matches").first?["items"]?.elements.count == 1)
    #expect(server.root.children.count == 1)
    ann.say("quit")
    bob.cut()
    #expect(server.root.children.isEmpty)
    server.clock.advance(by: .seconds(20))
    #expect(server.clock.next == nil)
    #expect(server.leaks == [])
    let last = server.client(as: "last")
    #expect(
      try last.ask("list") == [["type": "players", "items": [["name": "last", "place": "lobby"]]]])
  }

  /// The players take turns to begin.
  private func isAnns(_ turn: Int) -> Bool {
    (turn % moves.count).isMultiple(of: 2) == (turn / moves.count).isMultiple(of: 2)
  }

  /// The lines of the two players without any other client.
  private func quietMatch() throws -> (ann: [JSON], bob: [JSON]) {
    let server = TestServer()
    let (ann, bob) = server.match()
    var heard: (ann: [JSON], bob: [JSON]) = ([], [])
    for turn in 0..<28 {
      (isAnns(turn) ? ann : bob).sendOnly(moves[turn % moves.count])
      server.network.run()
      heard.ann += try ann.hear().map { $0.without("match") }
      heard.bob += try bob.hear().map { $0.without("match") }
    }
    return heard
  }

  /// Expects that all output is complete lines of JSON, with the type first and without control
  /// characters.
  private func expectLines(of clients: [RandomLineClient]) throws {
    var count = 0
    for visit in clients.flatMap(\.received) {
      for line in visit.split(separator: UInt8(ascii: "\n")) {
        count += 1
        let text = try #require(String(validating: line, as: UTF8.self))
        #expect(text.hasPrefix(#"{"type":""#))
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(try JSON(text)["type"] != nil)
      }
    }
    #expect(count > 500)
  }
}
