import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Invitations from other players in remote play.
@Suite struct RemoteInvitationTests {
  private let draw = Outcome(winner: nil, reason: .full)

  @Test func `an invitation and its withdrawal are shown`() {
    let client = RemoteApp.inLobby()
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    #expect(
      client.app.terminal.takeOutput()
        == "\nbob invites you. To play, type: start bob; to decline: decline bob\n> ")
    client.server.send(.invitationDidEnd(from: "bob", game: "tictactoe"))
    #expect(client.app.terminal.takeOutput() == "\nbob has withdrawn the invitation.\n> ")
  }

  @Test func `accepting an invitation starts its game`() {
    let client = RemoteApp.inLobby(
      games: [.ticTacToe, .large], offered: [ScriptedServer.ticTacToe, ScriptedServer.large])
    client.server.send(.invited(from: "bob", game: "large"))
    #expect(
      client.app.terminal.takeOutput()
        == "\nbob invites you to Large. To play, type: start bob; to decline: decline bob\n> "
    )
    client.app.type("start bob")
    #expect(
      client.server.takeLines() == [#"{"type":"start","id":2,"opponent":"bob","game":"large"}"#])
    client.server.beginGame(.large, match: "m", you: .o, x: "bob", o: "ann")
    client.server.endGame(draw)
    client.app.type("start")
    #expect(
      client.server.takeLines() == [#"{"type":"start","id":3,"opponent":"bob","game":"large"}"#])
  }

  @Test func `an invitation during a game is reported, to be answered later`() {
    let client = RemoteApp.inGame()
    client.discardOutput()
    client.server.send(.invited(from: "carol", game: "tictactoe", expires: .seconds(120)))
    #expect(
      client.app.terminal.takeOutput().contains(
        "carol invites you to Tic Tac Toe. You can answer after this game."))
    client.server.endGame(draw)
    #expect(client.app.terminal.takeOutput().contains("decline carol"))
  }

  @Test func `an accepted invitation is not shown again after the game`() {
    let client = RemoteApp.inLobby()
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    client.server.beginGame(match: "m", x: "bob", o: "ann")
    client.discardOutput()
    client.server.endGame(draw)
    #expect(!client.app.terminal.takeOutput().contains("invites"))
  }

  @Test func `a pending invitation is shown again after the game`() {
    let client = RemoteApp.inLobby()
    client.server.send(.invited(from: "carol", game: "tictactoe"))
    client.server.beginGame(match: "m", x: "bob", o: "ann")
    client.discardOutput()
    client.server.endGame(draw)
    #expect(
      client.app.terminal.takeOutput().hasSuffix(
        "type: leave\ncarol invites you. To play, type: leave, then: start carol; to decline: decline carol\n> "
      ))
  }

  @Test func `a request for the next game ends with the match`() {
    let client = RemoteApp.inGame()
    client.server.endGame(draw)
    client.discardOutput()
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    #expect(
      client.app.terminal.takeOutput()
        == "\nbob wants to play the next game. To play it, type: start; to decline: decline\n> "
    )
    client.server.endMatch(.left, by: .o)
    client.server.beginGame(match: "n", x: "ann", o: "bot")
    client.discardOutput()
    client.server.endGame(draw)
    #expect(!client.app.terminal.takeOutput().contains("bob"))
  }

  @Test func `repeated invitations are ignored, and only the first 100 are kept`() {
    let client = RemoteApp.inLobby()
    var changes: [Int] = []
    let token = client.app.gameService.lobby.invitations.subscribe { changes.append($0.count) }
    let names = (1...2_000).map { "player \($0)" }
    client.fixture.deliver(
      names.flatMap { name in
        [Event.invited(from: name, game: "tictactoe"), .invited(from: name, game: "tictactoe")]
      })
    #expect(changes == Array(0...InvitationList.maxInvitations))
    client.server.send(.invitationDidEnd(from: "player 1", game: "tictactoe"))
    client.server.send(.invited(from: "eve", game: "tictactoe"))
    let maxCount = InvitationList.maxInvitations
    #expect(changes.suffix(2) == [maxCount - 1, maxCount])
    token.cancel()
  }
}
