import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct CodeTests {
  private let server = TestServer(
    games: [.ticTacToe, .other], limits: ConnectionLimits(address: .standard))

  /// Opens a code, and returns it.
  private func open(_ client: LineClient, _ game: String = "") throws -> String {
    let line = try #require(try client.ask("open \(game)").first)
    return try #require(line["code"]?.text)
  }

  @Test func `a code is six letters and digits that do not look alike`() throws {
    let code = try open(server.client(as: "ann"))
    #expect(code.count == ProtocolLimits.codeLength)
    #expect(code.allSatisfy { "23456789abcdefghjkmnpqrstuvwxyz".contains($0) })
  }

  @Test func `whoever joins plays O against the player who opened the code`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    let line = try #require(try ann.ask(#"{"type":"open","game":"four","id":1}"#).first)
    #expect(line["type"] == "didQueue")
    #expect(line["re"] == 1)
    #expect(line["game"] == "four")
    #expect(line["opponent"] == nil)
    #expect(line["expires"] == nil)
    let code = try #require(line["code"]?.text)
    let started = try bob.ask("join \(code.uppercased())")
    #expect(kinds(started) == ["gameDidStart"])
    #expect(started.first?["players"] == ["X": "ann", "O": "bob"])
    #expect(started.first?["game"] == "four")
    #expect(try ann.hearTypes() == ["gameDidStart"])
    // A code is good once.
    #expect(try server.client(as: "cid").askTypes("join \(code)") == ["unknownCode"])
  }

  @Test func `a player with a code is paired by nothing else`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    let code = try open(ann)
    #expect(try bob.askTypes("start") == ["didQueue"])
    bob.say("cancel")
    _ = bob.takeLines()
    #expect(try bob.askTypes("start ann") == ["didQueue"])
    #expect(try ann.hearTypes() == ["invited"])
    #expect(try ann.askTypes("decline") == ["invitationDidEnd"])
    _ = bob.takeLines()
    #expect(try ann.askTypes("start bob") == ["alreadyWaiting"])
    let list = try bob.ask("list").first
    #expect(
      list?["items"]?.elements.first == ["name": "ann", "place": "waiting", "game": "tictactoe"])
    #expect(try bob.askTypes("join \(code)") == ["gameDidStart"])
  }

  @Test(arguments: ["cancel", "quit"])
  func `a code ends with the wait`(command: String) throws {
    let ann = server.client(as: "ann")
    let code = try open(ann)
    #expect(try ann.askTypes(command).last == (command == "quit" ? "bye quit" : "didCancel"))
    let lines = try server.client(as: "bob").ask("join \(code)")
    #expect(kinds(lines) == ["unknownCode"])
    #expect(lines.first?["field"] == "code")
  }

  @Test func `a session that is taken over hears its code again`() throws {
    let ann = try Player("ann", at: server)
    let code = try #require(try ann.ask("open").first?["code"]?.text)
    #expect(try ann.resume().last?["code"] == .string(code))
  }

  @Test func `codes are for players in the lobby`() throws {
    let (x, _) = server.match()
    #expect(try x.askTypes("open") == ["inMatch"])
    #expect(try x.askTypes("join aaaaaa") == ["inMatch"])
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    _ = eve.takeLines()
    #expect(try eve.askTypes("open") == ["spectator"])
    #expect(try eve.askTypes("join aaaaaa") == ["spectator"])
    let waiting = server.client(as: "w")
    let code = try open(waiting)
    #expect(try waiting.askTypes("open") == ["alreadyWaiting"])
    #expect(try waiting.askTypes("join \(code)") == ["alreadyWaiting"])
    #expect(try server.client().askTypes("open") == ["notLoggedIn"])
    #expect(try server.client().askTypes("join \(code)") == ["notLoggedIn"])
    #expect(try server.client(as: "b").askTypes("open chess") == ["unknownGame"])
  }

  @Test func `after ten unknown codes within a minute an address has to wait`() throws {
    let opener = server.client(as: "opener")
    let code = try open(opener)
    let guesser = server.client(as: "guesser")
    for index in 0..<10 {
      #expect(try guesser.askTypes("join \(index)") == ["unknownCode"])
      server.clock.advance(by: .seconds(1))
    }
    let friend = server.client(as: "friend")
    let lines = try friend.ask("join \(code)")
    #expect(kinds(lines) == ["tooFast"])
    #expect(lines.first?["retry"] == 50_000)
    let stranger = server.client(from: "192.0.2.7")
    stranger.say("login stranger")
    #expect(try stranger.ask("join 0").last?["code"] == "unknownCode")
    server.clock.advance(by: .seconds(50))
    #expect(try friend.askTypes("join \(code)") == ["gameDidStart"])
  }

  @Test func `an address that guessed is forgotten after a minute`() throws {
    let guesser = server.client(as: "guesser")
    guesser.say("join 1")
    guesser.say("quit")
    server.clock.advance(by: .seconds(62))
    #expect(server.clock.next == nil)
  }

  @Test func `a full server opens no codes`() throws {
    let server = TestServer(
      settings: ServerSettings(turn: nil, inviteWithin: nil, maxMatches: 1))
    let ann = server.client(as: "ann")
    let code = try open(ann)
    _ = server.match("x", "o")
    let bob = server.client(as: "bob")
    #expect(try bob.askTypes("open") == ["full"])
    #expect(try bob.askTypes("join \(code)") == ["full"])
  }
}
