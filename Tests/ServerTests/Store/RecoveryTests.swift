import Foundation
import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

/// What players find after the server has died and another process has started in its folder.
@Suite struct RecoveryTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Resumes a player of the process before at the present one.
  private func resume(_ player: Player, after seq: Int? = nil) throws -> (Player, [JSON]) {
    let client = fixture.server.client()
    let lines = try client.ask("resume \(player.token)\(seq.map { " \($0)" } ?? "")")
    return (try Player(resumed: client, lines, at: fixture.server), lines)
  }

  @Test func `while the journal is being read, progress is reported`() throws {
    let (ann, bob) = try fixture.server.players()
    var count = 0
    // A game is three records at least.
    for _ in 0..<Recovery.recordsPerTurn / 3 {
      try ann.ask("resign")
      for player in [ann, bob] { try player.ask("start") }
    }
    let records = try fixture.records.count
    try #require(records >= Recovery.recordsPerTurn && records < 2 * Recovery.recordsPerTurn)
    fixture.whenReading = { count += 1 }
    try fixture.restart()
    #expect(count == 1)
  }

  @Test func `both players go on where they were`() throws {
    let (ann, bob) = try fixture.server.players()
    try ann.ask("place 1 1")
    _ = try bob.hear()
    try fixture.restart()
    let (ann2, annLines) = try resume(ann, after: 2)
    #expect(
      annLines.map(\.type) == [
        "didLogin", "presenceDidChange", "presenceDidChange", "presenceDidChange",
      ])
    #expect(annLines.first?["place"]?.text == "playing")
    // X before O, both with the full time, then ann's own return.
    #expect(annLines.dropFirst().map { $0["mark"]?.text } == ["X", "O", "X"])
    #expect(annLines.dropFirst().map { $0["seq"]?.integer } == [3, 4, 5])
    #expect(annLines.dropFirst().map { $0["grace"]?.integer } == [60_000, 60_000, nil])
    let (bob2, bobLines) = try resume(bob, after: 2)
    #expect(bobLines.map { $0["seq"]?.integer } == [nil, 3, 4, 5, 6])
    try bob2.ask("place 0 0")
    _ = try ann2.hear()
    #expect(try ann2.ask("place 1 1").first?["code"]?.text == "cellTaken")
    try ann2.ask("resign")
    let end = try #require(try bob2.hear().first { $0.type == "gameDidEnd" })
    #expect(end["score"]?["O"]?.integer == 1)
  }

  @Test func `an older client that sends no number gets a snapshot`() throws {
    let (ann, _) = try fixture.server.players()
    try ann.ask("place 1 1")
    try fixture.restart()
    let snapshot = try #require(try resume(ann).1.last)
    #expect(snapshot.type == "matchSnapshot")
    #expect(snapshot["board"]?.elements.map(\.text) == ["...", ".X.", "..."])
    #expect(snapshot["turn"]?.text == "O")
    #expect(snapshot["online"]?["O"]?.truth == false)
  }

  @Test func `score, marks and the request for the next game stay`() throws {
    let (ann, bob) = try fixture.server.playersBetweenGames()
    try bob.ask("start")
    _ = try ann.hear()
    try fixture.restart()
    let (bob2, bobLines) = try resume(bob, after: 2)
    #expect(bobLines.last?.type == "didQueue")
    let (ann2, annLines) = try resume(ann, after: 2)
    #expect(annLines.last?.type == "invited")
    let start = try #require(try ann2.ask("start").first { $0.type == "gameDidStart" })
    #expect(start["you"]?.text == "O")
    #expect(start["score"]?["O"]?.integer == 1)
    #expect(try bob2.hear().last?["you"]?.text == "X")
  }

  @Test func `a request that was taken back does not come again`() throws {
    let (ann, bob) = try fixture.server.playersBetweenGames()
    try bob.ask("start")
    try bob.ask("cancel")
    try ann.ask("start")
    try bob.ask("decline")
    try fixture.restart()
    #expect(try resume(bob, after: 2).1.last?.type == "presenceDidChange")
    #expect(try resume(ann, after: 2).1.last?.type == "presenceDidChange")
  }

  @Test func `requests stay with their players after they have swapped marks`() throws {
    let (ann, bob) = try fixture.server.playersBetweenGames()
    try bob.ask("start")
    try ann.ask("start")
    try ann.ask("resign")
    try ann.ask("start")
    try fixture.restart()
    #expect(try resume(ann).1.last?.type == "didQueue")
    #expect(try resume(bob).1.last?.type == "invited")
  }

  @Test func `the current token and the one before it are good, until one is used`() throws {
    let (ann, bob) = try fixture.server.players()
    let first = ann.token
    ann.cut()
    try ann.resume()
    let second = ann.token
    try fixture.restart()
    let old = fixture.server.client()
    #expect(try old.ask("resume \(first)").first?.type == "didLogin")
    // The client of the second token may not take it over: its token was not used first.
    let new = fixture.server.client()
    #expect(try new.ask("resume \(second)").first?["code"]?.text == "unknownToken")
    #expect(try resume(bob).1.first?.type == "didLogin")
  }

  @Test func `tokens stand in the journal only as hashes`() throws {
    let (ann, _) = try fixture.server.players()
    let text = try fixture.records.joined()
    #expect(!text.contains(ann.token))
    #expect(text.contains(SHA256.digits(of: ann.token)))
    #expect(
      SHA256.digits(of: "abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.digits(of: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test func `sessions without a match are gone, and their names free`() throws {
    let zoe = try Player("zoe", at: fixture.server)
    let (ann, _) = try fixture.server.players()
    try fixture.restart()
    let client = fixture.server.client()
    #expect(try client.ask("resume \(zoe.token)").first?["code"]?.text == "unknownToken")
    #expect(try client.ask("login ann").first?["code"]?.text == "nameTaken")
    #expect(try client.ask("login zoe").first?.type == "didLogin")
    _ = ann
  }

  @Test func `a player who was lost already has the full time again, without an event`() throws {
    let (ann, bob) = try fixture.server.players()
    ann.cut()
    fixture.server.clock.advance(by: .seconds(50))
    _ = try bob.hear()
    try fixture.restart()
    fixture.server.clock.advance(by: .seconds(59))
    let (_, lines) = try resume(bob, after: 2)
    #expect(lines.map { $0["mark"]?.text } == [nil, "O", "O"])
    #expect(try resume(ann, after: 2).1.first?.type == "didLogin")
  }

  @Test func `a match ends if nobody comes back, and is not recovered again`() throws {
    _ = try fixture.server.players()
    try fixture.restart()
    #expect(fixture.server.root.children.count == 1)
    fixture.server.clock.advance(by: .seconds(61))
    try fixture.server.expectNothingLeft()
    #expect(try fixture.records.suffix(2).allSatisfy { $0.contains("DidEnd") })
    try fixture.restart()
    #expect(fixture.server.root.children.isEmpty)
  }

  @Test func `without a time to resume, matches end at the restart`() throws {
    let fixture = try StoreFixture(settings: ServerSettings(resumeWithin: nil, turn: nil))
    _ = try fixture.server.players()
    try fixture.restart()
    #expect(fixture.server.root.children.isEmpty)
  }

  @Test func `a timed move has its full time again`() throws {
    let fixture = try StoreFixture(
      settings: ServerSettings(resumeWithin: .seconds(600), turn: .seconds(30)))
    let (ann, bob) = try fixture.server.players()
    try ann.ask("place 0 0")
    fixture.server.clock.advance(by: .seconds(20))
    try fixture.restart()
    fixture.server.clock.advance(by: .seconds(10))
    let client = fixture.server.client()
    let snapshot = try #require(try client.ask("resume \(bob.token)").last)
    #expect(snapshot["left"]?.integer == 20_000)
    fixture.server.clock.advance(by: .seconds(20))
    #expect(try client.ask("ping").first?["reason"]?.text == "timeout")
  }

  @Test func `the bot's seat comes back, and it goes on to play`() throws {
    let ann = try Player("ann", at: fixture.server)
    try ann.ask("start bot tictactoe easy")
    try ann.ask("place 1 1")
    fixture.server.botThinker.answer()
    // The bot's move is lost: it was not written when the process died.
    try fixture.restart { bytes in
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      bytes.removeLast(lines.last.map { $0.count + 1 } ?? 0)
    }
    let (ann2, lines) = try resume(ann)
    let board = try #require(lines.last?["board"]?.elements.compactMap(\.text).joined())
    #expect(board.filter { $0 == "O" }.isEmpty)
    fixture.server.botThinker.answer()
    let moves = try ann2.ask("ping")
    #expect(moves.map(\.type) == ["boardDidChange", "pong"])
    #expect(lines.last?["level"]?.text == "easy")
    #expect(lines.last?["online"]?["O"]?.truth == true)
    #expect(try ann2.ask("resign").last?.type == "gameDidEnd")
    #expect(try ann2.ask("start").first?["you"]?.text == "O")
  }

  @Test func `after records were cut off, each player's first resume gets a snapshot`() throws {
    let (ann, bob) = try fixture.server.players()
    try ann.ask("place 1 1")
    _ = try bob.hear()
    try fixture.restart { $0.removeLast(10) }
    for player in [ann, bob] {
      let (again, lines) = try resume(player, after: 3)
      #expect(lines.map(\.type) == ["didLogin", "matchSnapshot"])
      #expect(lines.last?["board"]?.elements.map(\.text) == ["...", "...", "..."])
      again.cut()
      _ = try again.resume(after: try #require(lines.last?["seq"]?.integer))
    }
  }

  @Test func `an id of a match is never used again`() throws {
    var ids: Set<String> = []
    for _ in 0..<5 {
      for _ in 0..<10 {
        let ann = try Player("ann", at: fixture.server)
        ids.insert(try #require(try ann.ask("start bot").first?["match"]?.text))
        try ann.ask("quit")
      }
      try fixture.restart()
    }
    #expect(ids.count == 50)
  }

  /// The ids that were told before the first failure may be gone from the journal, and so may be
  /// those before the second.
  @Test func `an id is not used again after two power failures`() throws {
    var ids: Set<String> = []
    for _ in 0..<3 {
      let zoe = fixture.server.client(as: "zoe")
      let start = try zoe.ask("start bot").first { $0.type == "gameDidStart" }
      ids.insert(try #require(start?["match"]?.text))
      zoe.say("leave")
      // Everything after the first record is gone, and with it the system's time since its start.
      fixture.loseSystem()
      try fixture.restart { bytes in
        let kept = bytes.split(separator: UInt8(ascii: "\n")).prefix { line in
          line.dropFirst(23).first != RecordKind.beginning.rawValue
        }
        bytes = kept.flatMap { $0 + [UInt8(ascii: "\n")] }
      }
    }
    #expect(ids.count == 3)
  }

  @Test func `after a power failure that left no trace, the first resume gets a snapshot`() throws {
    let (ann, _) = try fixture.server.players()
    fixture.settle()
    try ann.ask("place 1 1")
    fixture.loseSystem()
    try fixture.restart { bytes in
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      bytes = lines.dropLast().flatMap { $0 + [UInt8(ascii: "\n")] }
    }
    let (again, lines) = try resume(ann, after: 2)
    #expect(lines.last?.type == "matchSnapshot")
    again.cut()
    #expect(try again.resume(after: 2).last?.type == "presenceDidChange")
  }

  @Test func `ids of matches differ, and get longer only when they must`() {
    #expect(Set((1...100_000).map(MatchID.text)).count == 100_000)
    #expect(MatchID.text(31 * 31 * 31 * 31).count == 4)
    #expect(MatchID.text(31 * 31 * 31 * 31 + 1).count == 5)
  }

  @Test func `a planned stop ends no match`() throws {
    let (ann, bob) = try fixture.server.players()
    try ann.ask("place 1 1")
    _ = try bob.hear()
    fixture.server.control.shutDown()
    fixture.server.network.run()
    let lines = try ann.hear()
    #expect(lines.map(\.type) == ["bye"])
    #expect(lines.first?["code"]?.text == "shutdown")
    #expect(try #require(lines.first?["retry"]?.integer) >= 1)
    fixture.recovery.store.stop()
    try fixture.restart()
    #expect(try resume(bob, after: 2).1.map { $0["seq"]?.integer } == [nil, 3, 4, 5])
  }
}

extension Player {
  /// A player who has resumed at another server; `lines` are those of the reply.
  convenience init(resumed client: LineClient, _ lines: [JSON], at server: TestServer) throws {
    self.init(
      client, token: try #require(lines.first?["token"]?.text), at: server)
  }
}
