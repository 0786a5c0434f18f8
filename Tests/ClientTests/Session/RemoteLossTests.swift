import Shared
import TestSupport
import Testing

@testable import Client

/// A server that is lost for good ends a script with a sentence and an exit code, and any client
/// before its first hello.
@Suite struct RemoteLossTests {
  private let lostReport = ExitReport(
    code: .unavailable,
    sentence: "The connection to example.org port 7777 is lost."
      + " To play again, start this program again.")

  /// Clients that have not logged in.
  private func clientsBeforeLogin() -> [RemoteApp] {
    let form = RemoteApp(isInteractive: false)
    form.server.greet()
    return [RemoteApp(), RemoteApp(isInteractive: false), form]
  }

  private func clientsInEveryState() -> [RemoteApp] {
    let waiting = RemoteApp.inLobby(isInteractive: false)
    waiting.app.type("start")
    waiting.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    let betweenGames = RemoteApp.inGame(isInteractive: false)
    betweenGames.server.endGame(Outcome(winner: nil, reason: .full))
    return clientsBeforeLogin()
      + [.inLobby(isInteractive: false), waiting, .inGame(isInteractive: false), betweenGames]
  }

  @Test(arguments: [false, true])
  func `a connection that breaks or ends before the login ends the client`(isCut: Bool) {
    for client in clientsBeforeLogin() {
      if isCut { client.server.cut() } else { client.server.end() }
      #expect(client.app.exitReports == [lostReport])
      #expect(client.app.currentRouter == nil)
    }
  }

  @Test func `a bye without a retry time ends a script`() {
    for client in clientsInEveryState() {
      client.server.send(.bye(.takenOver, message: "Elsewhere."))
      #expect(
        client.app.exitReports == [
          ExitReport(
            code: .unavailable,
            sentence: "The server at example.org port 7777 has closed the connection: Elsewhere.")
        ])
      #expect(client.fixture.isClosedByClient)
      client.app.clock.advance(by: .seconds(60))
      #expect(client.fixture.attemptCount == 1)
    }
  }

  @Test func `a name that was taken during the outage ends a script`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.cut()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(
      client.app.exitReports == [
        ExitReport(
          code: .unavailable, sentence: "Somebody else has the name ann now. Choose another name.")
      ])
  }

  @Test func `an input error ends the client with its sentence`() {
    let client = RemoteApp.inLobby()
    client.app.terminal.console.inputDidFail("read: Input/output error")
    #expect(
      client.app.exitReports == [
        ExitReport(
          code: .ioError, sentence: "Standard input cannot be read: read: Input/output error.")
      ])
  }

  @Test(arguments: [
    (
      LinkError.unknownHost, ExitCode.noHost,
      "There is no host for here port 1. Check the spelling. To name a port, use --port."
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
      "The server at here port 1 does not answer. "
        + "Is it a tictactoe-server, and is it running?"
        + " If that port uses TLS, connect with --tls."
    ),
    (
      .notOurServer, .unavailable,
      "The program at here port 1 is not a tictactoe-server that this client understands."
    ),
    (
      .outOfStep, .unavailable,
      "The server's events contradict each other. To play again, start this program again."
    ),
  ])
  func `every link error has an exit code and a sentence`(
    _ failure: LinkError, _ code: ExitCode, _ sentence: String
  ) {
    #expect(
      failure.exitReport(from: ServerAddress(host: "here", port: 1))
        == ExitReport(code: code, sentence: sentence))
    // A person who has not chosen the server gets neither its address nor advice about it.
    let other = failure.formError(at: nil).sentence
    #expect(!other.contains("port") && !other.contains("here") && !other.contains("--"))
  }
}
