import Shared
import TestSupport
import Testing

@testable import Client

/// How the client ends, from every state.
@Suite struct RemoteQuittingTests {
  private let fine = Farewell(code: .ok, sentence: nil)

  @Test func `before the greeting it ends at once`() {
    let client = RemoteApp()
    client.app.type("quit")
    #expect(client.app.farewells == [fine])
  }

  @Test func `at the form, in the lobby and in a game it ends with the server's goodbye`() {
    let form = RemoteApp()
    form.server.greet()
    for client in [form, .inLobby(), .inGame()] {
      client.forget()
      client.app.type(" quit ")
      #expect(client.server.take() == [#"{"type":"quit"}"#])
      #expect(client.app.farewells.isEmpty)
      client.server.say(.bye(.quit))
      #expect(client.app.farewells == [fine])
      #expect(client.app.shown == nil)
    }
  }

  @Test func `the end of the input is quit`() {
    let client = RemoteApp.inGame()
    client.app.terminal.end()
    #expect(client.server.take() == [#"{"type":"quit"}"#])
  }

  @Test func `twice is once`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit", "quit")
    client.app.terminal.end()
    #expect(client.server.take() == [#"{"type":"quit"}"#])
    client.server.say(.bye(.quit))
    client.app.clock.advance(by: .seconds(60))
    #expect(client.app.farewells == [fine])
  }

  @Test func `a server that says no goodbye is not waited for`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit")
    client.app.clock.advance(by: RemotePlay.patience - .milliseconds(1))
    #expect(client.app.farewells.isEmpty)
    client.app.clock.advance(by: .milliseconds(1))
    #expect(client.app.farewells == [fine])
  }

  @Test func `a connection that is lost meanwhile is as good as a goodbye`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit")
    client.server.cut()
    #expect(client.app.farewells == [fine])
  }

  @Test func `whatever the server still tells is not shown`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.app.type("quit")
    client.forget()
    client.server.begin(match: "m")
    client.server.move(1)
    client.server.endGame(Outcome(winner: .o, reason: .left))
    client.server.endMatch(.left, by: .x)
    client.server.say(.error(.internal))
    #expect(client.app.terminal.take() == "")
    #expect(client.app.shown == nil)
  }

  @Test func `a login that is answered afterwards logs nobody in`() {
    let client = RemoteApp()
    client.server.greet()
    client.app.type("ann")
    _ = client.server.take()
    client.app.type("quit")
    _ = client.app.terminal.take()
    client.server.say(.didLogin(name: "ann", token: nil), re: .integer(1))
    #expect(client.app.terminal.take() == "")
    #expect(client.app.shown == nil)
  }
}

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
            code: .unavailable, sentence: "The server has closed the connection: Too long.")
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
      "There is no host for here. Is its name written right?"
    ),
    (
      .cannotConnect("Connection refused"), .unavailable,
      "Cannot connect to here: Connection refused. Is a server running there?"
        + " To start one, type: tictactoe-server"
    ),
    (.bye(.shutdown, "…"), .unavailable, "The server at here has stopped."),
    (
      .notOurServer, .unavailable,
      "What answers at here is no tictactoe-server that this client understands."
    ),
    (
      .outOfStep, .unavailable,
      "The server's account of the game has a gap. To play again, start this program again."
    ),
  ])
  func `every other failure is a sentence as well`(
    _ failure: LinkFailure, _ code: ExitCode, _ sentence: String
  ) {
    #expect(failure.farewell(from: "here") == Farewell(code: code, sentence: sentence))
  }
}
