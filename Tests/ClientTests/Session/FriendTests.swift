import Shared
import TestSupport
import Testing

@testable import Client

/// Codes for friends, declines, announcements and spectators in remote play.
@Suite struct FriendTests {
  private let draw = Outcome(winner: nil, reason: .full)

  @Test(arguments: [
    (ServerAddress(host: "play.example.org", port: 7_777), "play.example.org"),
    (ServerAddress(host: "192.0.2.1", port: 9_000), "192.0.2.1:9000"),
    (ServerAddress(host: "2001:db8::1", port: 7_777), "[2001:db8::1]"),
    (ServerAddress(host: "::1", port: 9_000), "[::1]:9000"),
    (ServerAddress(host: "play.example.org", port: 7_778, usesTLS: true), "play.example.org"),
    (ServerAddress(host: "::1", port: 7_777, usesTLS: true), "[::1]:7777"),
  ])
  func `what a friend gets leads back to the game`(address: ServerAddress, server: String) throws {
    let friend = FriendCode(code: "k7w2mx", address: address)
    let isSecure = address.usesTLS
    #expect(
      friend.command == "tictactoe-client \(server)\(isSecure ? " --tls" : "") --join k7w2mx")
    #expect(friend.url == "tictactoe\(isSecure ? "s" : "")://\(server)/join/k7w2mx")
    for words in [friend.command.split(separator: " ").dropFirst().map(String.init), [friend.url]] {
      guard case .play(let settings) = try ClientOptions.parse(words) else {
        Issue.record("\(words) does not play")
        return
      }
      let options = ClientOptions(settings)
      #expect(options.host == address.host)
      #expect(options.address == address)
      #expect(options.launchAction == .join("k7w2mx"))
    }
  }

  @Test func `a code is opened and shown with all that a friend needs`() {
    let client = RemoteApp.inLobby()
    client.app.type("open")
    #expect(client.server.takeLines() == [#"{"type":"open","id":2,"game":"tictactoe"}"#])
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil, code: "k7w2mx"))
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("Your code is: k7w2mx"))
    #expect(output.contains("--join k7w2mx"))
    #expect(output.contains("/join/k7w2mx"))
  }

  @Test func `a friend joins with a code, and a refusal is shown`() {
    let client = RemoteApp.inLobby()
    client.app.type("join K7W2MX")
    #expect(client.server.takeLines() == [#"{"type":"join","id":2,"code":"K7W2MX"}"#])
    client.server.answer(.error(.unknownCode, field: "code"))
    #expect(client.app.terminal.takeOutput().contains("There is no such code."))
  }

  @Test func `a server that does not know codes is called older`() {
    let client = RemoteApp.inLobby()
    client.app.type("open")
    client.server.answer(.error(.unknownType))
    #expect(
      client.app.terminal.takeOutput().contains(
        "This server is older than this client and cannot do that."))
  }

  @Test func `an invitation is declined by name, or without one if it is the only one`() {
    let client = RemoteApp.inLobby()
    #expect(client.app.type("decline").contains("Nobody has invited you."))
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    client.app.type("decline")
    #expect(client.server.takeLines() == [#"{"type":"decline","id":2,"opponent":"bob"}"#])
    client.server.answer(.invitationDidEnd(from: "bob", game: "tictactoe"))
    #expect(client.app.terminal.takeOutput().hasSuffix("You have declined to play with bob.\n> "))
    for name in ["bob", "carol"] {
      client.server.send(.invited(from: name, game: "tictactoe"))
    }
    #expect(client.app.type("decline").contains("Type: decline NAME"))
    client.app.type("decline carol")
    #expect(client.server.takeLines() == [#"{"type":"decline","id":3,"opponent":"carol"}"#])
  }

  @Test(arguments: [
    (CancelReason.declined, "bob has declined."),
    (.expired, "bob has not answered, so the invitation has ended."), (.left, "bob has gone."),
  ])
  func `the end of the player's own invitation has its reason`(
    reason: CancelReason, sentence: String
  ) {
    let client = RemoteApp.inLobby()
    client.app.type("start bob")
    client.server.answer(.didQueue(game: "tictactoe", opponent: "bob", expires: .seconds(120)))
    client.discardOutput()
    client.server.send(.didCancel(reason: reason))
    #expect(client.app.terminal.takeOutput().hasPrefix("\(sentence)\nYou are in the lobby."))
  }

  @Test func `a declined rematch is named, and the match goes on`() {
    let client = RemoteApp.inGame()
    client.server.endGame(draw)
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.discardOutput()
    client.server.send(.didCancel(reason: .declined))
    let output = client.app.terminal.takeOutput()
    #expect(output.hasPrefix("bob does not want another game.\n"))
    #expect(output.contains("To leave the match, type: leave"))
  }

  @Test func `an invitation that was not answered in time has ended, not been withdrawn`() {
    let client = RemoteApp.inLobby()
    client.server.send(.invited(from: "bob", game: "tictactoe", expires: .seconds(2)))
    client.discardOutput()
    client.app.clock.advance(by: .seconds(2))
    client.server.send(.invitationDidEnd(from: "bob", game: "tictactoe"))
    #expect(client.app.terminal.takeOutput() == "\nThe invitation of bob has ended.\n> ")
  }

  @Test func `a greeting is shown once, and an end of the server with its time`() {
    let client = RemoteApp.inLobby()
    client.server.send(.announcement(text: "Welcome!"))
    client.server.send(.announcement(text: "Welcome!"))
    #expect(client.app.terminal.takeOutput() == "\nThe server says: Welcome!\n> ")
    client.server.send(.announcement(text: "Stopping.", timeLeft: .seconds(30)))
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("The server stops in 0:30 at the latest."))
    #expect(output.contains("The server says: Stopping."))
  }

  @Test func `an announcement without a time takes the end of the server back, each time`() {
    let client = RemoteApp.inGame()
    for _ in 0..<2 {
      client.server.send(.announcement(text: "Stopping.", timeLeft: .seconds(30)))
      client.discardOutput()
      client.server.send(.announcement(text: "It goes on."))
      #expect(client.app.terminal.takeOutput().contains("The server says: It goes on."))
      client.server.send(.announcement(text: "It goes on."))
      #expect(client.app.terminal.takeOutput() == "")
    }
  }

  @Test func `players see how many watch, and who of those who talk only watches`() {
    let client = RemoteApp.inGame()
    client.discardOutput()
    client.server.send(.spectatorsDidChange(match: client.server.match, count: 2))
    #expect(client.app.terminal.takeOutput().contains("2 watching."))
    client.server.send(.spectatorsDidChange(match: "another", count: 9))
    #expect(client.app.terminal.takeOutput() == "")
    client.server.send(client.server.nextEvent(.didSay(from: "eve", text: "hello")))
    #expect(client.app.terminal.takeOutput().contains("\"eve\" (watching): hello"))
    client.server.send(client.server.nextEvent(.didSay(from: "bob", mark: .o, text: "hi")))
    #expect(client.app.terminal.takeOutput().contains("\"bob\": hi"))
  }
}
