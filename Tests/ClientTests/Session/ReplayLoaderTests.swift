import Shared
import TestSupport
import Testing

@testable import Client

/// A replay from the server, in plain lines.
@Suite struct ReplayLoaderTests {
  private let match = StoredMatch.example

  private func header(last: Int? = nil) -> Event {
    .replayDidStart(
      ReplayHeader(
        match: "zrg3", game: "tictactoe", players: PerMark(x: "ann", o: "bob"),
        last: last ?? match.events.count))
  }

  private func send(_ server: ScriptedServer, _ events: some Sequence<Event>, next: Int? = nil) {
    for event in events { server.send(event) }
    server.send(.replayDidEnd(match: "zrg3", next: next))
  }

  @Test func `a match that is over is shown, and the lobby goes on`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    #expect(client.server.takeLines() == [#"{"type":"replay","id":2,"match":"zrg3"}"#])
    client.server.answer(header())
    send(client.server, match.events)
    let shown = client.app.type()
    #expect(shown.contains("ann wins with 1, 2, 3."))
    #expect(shown.hasSuffix("You have left the replay of zrg3.\n> "))
    #expect(client.app.type("help").contains("play against anyone"))
    #expect(client.app.currentRouter is any OffGameRouting)
  }

  @Test func `a long match comes in pages`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(header())
    send(client.server, match.events.prefix(4), next: 4)
    #expect(
      client.server.takeLines().last == #"{"type":"replay","id":3,"match":"zrg3","seq":4}"#)
    client.server.answer(header())
    send(client.server, match.events.dropFirst(4))
    #expect(client.app.type().contains("Replay of zrg3, 6 moves: end."))
  }

  @Test func `a refusal is a notice, and ends a script that has asked for the replay`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(.error(.unknownMatch))
    #expect(client.app.type().contains(ErrorCode.unknownMatch.message))
    let older = RemoteApp.inLobby()
    older.app.type("replay zrg3")
    older.server.answer(.error(.unknownType))
    #expect(older.app.type().contains(SessionCommands.isOlder))
    let script = RemoteApp(name: "ann", launchAction: .replay("zrg3"), isInteractive: false)
    script.server.greet()
    script.server.answer(.didLogin(name: "ann", token: "t"))
    script.server.answer(.error(.unknownMatch))
    #expect(script.app.exitReports.map(\.code) == [.unavailable])
  }

  @Test func `the action at the launch shows the replay after the login`() {
    let client = RemoteApp(name: "ann", launchAction: .replay("zrg3"))
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "t"))
    client.server.answer(header())
    send(client.server, match.events)
    #expect(client.app.type().contains("Replay of zrg3, 6 moves: end."))
  }

  @Test func `pages that do not go on are not loaded`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(header())
    send(client.server, match.events.prefix(4), next: 2)
    #expect(client.app.type().contains("The server's replay is damaged after event 4."))
    #expect(client.server.takeLines().isEmpty)
  }

  @Test func `a replay without events, or without its last ones, is damaged`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(header())
    send(client.server, [])
    #expect(client.app.type().contains("The server's replay has no events."))
    client.app.type("replay zrg3")
    client.server.answer(header())
    send(client.server, match.events.dropLast())
    #expect(
      client.app.type().contains("The stored match is damaged: it ends with event 11 of 12."))
  }

  @Test func `more events than the server has named are not loaded`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(header(last: 3))
    send(client.server, match.events)
    #expect(client.app.type().contains("The match is too long for this client."))
  }

  @Test func `a connection that is lost meanwhile ends the loading`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(header())
    client.server.send(match.events[0])
    client.server.cut()
    #expect(client.app.type().contains(SessionCommands.noAnswer))
  }

  @Test func `a game begins as ever after a replay`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay zrg3")
    client.server.answer(header())
    send(client.server, match.events)
    client.server.beginGame(match: "m")
    #expect(client.app.type().hasSuffix("ann, put X on (1 to 9): "))
  }
}
