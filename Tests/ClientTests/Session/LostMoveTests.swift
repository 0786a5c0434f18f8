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

  /// A script whose first line is sent while the server stops. The next line would be refused.
  private func script(_ line: String, in client: RemoteApp) {
    client.app.terminal.feed(Array("\(line)\nnonsense\n".utf8))
    client.server.send(.bye(.shutdown, retry: .seconds(1)))
    client.server.cut()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(!client.app.terminal.takeOutput().contains("nonsense"))
  }

  private func commands(_ client: RemoteApp, _ type: String) -> Int {
    client.server.takeLines().count { $0.contains("\"type\":\"\(type)\"") }
  }

  @Test(arguments: [("5", "place"), ("resign", "resign"), ("leave", "leave")])
  func `a script waits until its lost command is carried out`(line: String, type: String) {
    let client = RemoteApp.inGame(isInteractive: false)
    script(line, in: client)
    _ = client.server.takeLines()
    client.server.send(client.server.snapshot())
    #expect(commands(client, type) == 1)
    #expect(!client.app.terminal.takeOutput().contains("nonsense"))
    client.server.answerLast(.pong)
    switch type {
    case "place":
      client.server.move(5)
      client.server.move(1)
    case "resign": client.server.endGame(Outcome(winner: .o, reason: .resigned))
    default: client.server.endMatch(.left, by: .x)
    }
    #expect(client.app.terminal.takeOutput().contains("nonsense"))
  }

  @Test(arguments: ["5", "resign"])
  func `a command that the end of its game has overtaken is forgotten`(line: String) {
    let client = RemoteApp.inGame(isInteractive: false)
    script(line, in: client)
    _ = client.server.takeLines()
    client.server.send(
      client.server.snapshot(
        score: Score(o: 1), outcome: Outcome(winner: .o, reason: .resigned)))
    #expect(client.server.takeLines().isEmpty)
    #expect(client.app.terminal.takeOutput().contains("nonsense"))
  }

  @Test(arguments: [true, false])
  func `a lost request for the next game is made again, unless it stands`(stands: Bool) {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.endGame(Outcome(winner: .o, reason: .resigned))
    script("start", in: client)
    if stands { client.server.send(.didQueue(game: "tictactoe", opponent: "bob")) }
    #expect(commands(client, "ping") == 1)
    client.server.answerLast(.pong)
    #expect(commands(client, "start") == (stands ? 0 : 1))
    #expect(!client.app.terminal.takeOutput().contains("nonsense"))
  }

  @Test func `a lost leave between games is sent again`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.endGame(Outcome(winner: .o, reason: .resigned))
    script("leave", in: client)
    _ = client.server.takeLines()
    client.server.send(
      client.server.snapshot(
        score: Score(o: 1), outcome: Outcome(winner: .o, reason: .resigned)))
    #expect(commands(client, "leave") == 1)
  }
}
