import Shared
import TestSupport
import Testing

@testable import Client

/// A move whose answer is lost with the connection.
@Suite struct LostMoveTests {
  /// Cuts the connection with a move under way, and resumes.
  private func loseMove(_ client: RemoteApp) {
    client.app.type("5")
    #expect(client.server.takeLines().last?.contains(#""type":"place""#) == true)
    client.server.cut()
    client.discardOutput()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
  }

  private func places(_ client: RemoteApp) -> Int {
    client.server.takeLines().count { $0.contains(#""type":"place""#) }
  }

  @Test func `a move that was lost with the connection is sent again, once`() {
    let client = RemoteApp.inGame()
    loseMove(client)
    client.server.send(client.server.snapshot())
    #expect(places(client) == 1)
    client.server.send(client.server.snapshot())
    #expect(places(client) == 0)
  }

  @Test func `a move that was carried out before the loss is not sent again`() {
    let client = RemoteApp.inGame()
    loseMove(client)
    client.server.move(5)
    client.server.move(1)
    client.server.send(client.server.snapshot())
    #expect(places(client) == 0)
  }

  @Test func `a lost move is not sent into another game or match`() {
    for isOtherMatch in [false, true] {
      let client = RemoteApp.inGame()
      loseMove(client)
      client.server.beginGame(match: isOtherMatch ? "n" : nil, score: Score(x: 1))
      client.server.send(client.server.snapshot(score: Score(x: 1)))
      #expect(places(client) == 0)
    }
  }
}
