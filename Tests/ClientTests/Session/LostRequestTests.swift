import Shared
import TestSupport
import Testing

@testable import Client

/// A request for a game that is lost with the connection is made again.
@Suite struct LostRequestTests {
  private func reconnect(_ client: RemoteApp) {
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
  }

  @Test(arguments: [true, false])
  func `a request that waited when the connection was lost is made again`(isRefused: Bool) {
    let client = RemoteApp.inLobby()
    client.app.type("start bob")
    client.server.answer(.didQueue(game: "tictactoe", opponent: "bob"))
    client.server.cut()
    client.discardOutput()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.server.takeLines().last?.contains(#""type":"start""#) == true)
    if isRefused {
      client.server.answerLast(.error(.unknownPlayer, message: "There is no such player."))
      #expect(client.app.terminal.takeOutput().contains("There is no such player.\nYou are in"))
    } else {
      client.server.answerLast(.didQueue(game: "tictactoe", opponent: "bob"))
      #expect(client.app.terminal.takeOutput().hasSuffix("To stop waiting, type: cancel\n"))
    }
  }

  @Test func `a code that was lost with the connection is replaced, and the person told`() {
    let client = RemoteApp.inLobby()
    client.app.type("open")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil, code: "k7w2mx"))
    client.server.cut()
    client.discardOutput()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil, code: "222222"))
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("Your code is: 222222"))
    #expect(output.contains("Your code has changed. The one before no longer works."))
  }

  @Test(arguments: ["start", "start bob", "open", "join k7w2mx"])
  func `a request whose reply was lost with the connection is made again`(line: String) {
    let client = RemoteApp.inLobby()
    client.app.type(line)
    let request = client.server.takeLines().last?.replacing(/"id":\d+,/, with: "")
    #expect(request != nil)
    for _ in 1...2 {
      client.server.cut()
      client.discardOutput()
      reconnect(client)
      client.server.answer(.error(.unknownToken))
      client.server.answer(.didLogin(name: "ann", token: "new"))
      #expect(
        client.server.takeLines().map { $0.replacing(/"id":\d+,/, with: "") } == [request])
      #expect(!client.app.terminal.takeOutput().contains("Your request"))
    }
    client.server.answer(.error(.unknownCode, message: "No."))
    #expect(client.app.terminal.takeOutput().contains("No."))
  }
}
