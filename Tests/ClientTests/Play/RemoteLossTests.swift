import Shared
import TestSupport
import Testing

@testable import Client

/// A server that goes away is a sentence and an exit code, wherever one is.
@Suite struct RemoteLossTests {
  private let lost = Farewell(
    code: .unavailable,
    sentence: "The connection to example.org port 7777 is lost."
      + " To play again, start this program again.")

  private func everywhere() -> [RemoteApp] {
    let form = RemoteApp()
    form.server.greet()
    let waiting = RemoteApp.inLobby()
    waiting.app.type("start")
    waiting.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    let between = RemoteApp.inGame()
    between.server.endGame(Outcome(winner: nil, reason: .full))
    return [RemoteApp(), form, .inLobby(), waiting, .inGame(), between]
  }

  @Test func `a connection that breaks`() {
    for client in everywhere() {
      client.server.cut()
      #expect(client.app.farewells == [lost])
      #expect(client.app.shown == nil)
    }
  }

  @Test func `a connection that ends without a goodbye`() {
    for client in everywhere() {
      client.server.end()
      #expect(client.app.farewells == [lost])
      #expect(client.app.shown == nil)
    }
  }

  @Test func `a goodbye`() {
    for client in everywhere() {
      client.server.say(.bye(.idle, message: "Too long.", retry: 0))
      #expect(
        client.app.farewells == [
          Farewell(
            code: .unavailable,
            sentence: "The server at example.org port 7777 has closed the connection: Too long.")
        ])
      #expect(client.wire.isClosedByClient)
    }
  }

  @Test func `input that fails ends the client with its sentence`() {
    let client = RemoteApp.inLobby()
    client.app.terminal.console.inputDidFail("read: Input/output error")
    #expect(
      client.app.farewells == [
        Farewell(
          code: .ioError, sentence: "What you type cannot be read: read: Input/output error.")
      ])
  }

  @Test(arguments: [
    (
      LinkFailure.unknownHost, ExitCode.noHost,
      "There is no host for here port 1. Is its name written right? A port is given with --port."
    ),
    (
      .cannotConnect("Connection refused"), .unavailable,
      "Cannot connect to here port 1: Connection refused. "
        + "Is a tictactoe-server running there, on that port?"
    ),
    (
      .bye(.shutdown, "It stops."), .unavailable,
      "The server at here port 1 has closed the connection: It stops."
    ),
    (
      .silent, .unavailable,
      "Something listens at here port 1 but says nothing. "
        + "Is it a tictactoe-server, and is it running?"
    ),
    (
      .notOurServer, .unavailable,
      "What answers at here port 1 is no tictactoe-server that this client understands."
    ),
    (
      .outOfStep, .unavailable,
      "The server's account of the game has a gap. To play again, start this program again."
    ),
  ])
  func `every other failure is a sentence as well`(
    _ failure: LinkFailure, _ code: ExitCode, _ sentence: String
  ) {
    #expect(
      failure.farewell(from: ServerAddress(host: "here", port: 1))
        == Farewell(code: code, sentence: sentence))
  }
}
