import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// How the launch workflow ends, and what the screen then shows.
@Suite struct LaunchActionEndTests {
  private let lobby =
    "You are ann.\nTo play, type: start (with anyone), start bot, start NAME, or open (a friend)."
    + "\nTo see who is here, type: list\n"
  private let nextLobby =
    "You are in the lobby. To play, type: start. To see the commands, type: help\n"

  /// Subscribes a workflow to the client's root.
  private func subscribeWorkflow(_ client: RemoteApp, _ opponent: Opponent)
    -> RecordingLaunchWorkflow
  {
    let workflow = RecordingLaunchWorkflow(.start(against: opponent))
    if let root = client.app.root?.interactable as? any RootActionableItem {
      _ = workflow.subscribe(root)
    }
    return workflow
  }

  /// A client whose workflow has logged in and requested a game.
  private func clientRequestingGame(_ opponent: Opponent) -> (RemoteApp, RecordingLaunchWorkflow) {
    let client = RemoteApp(name: "ann")
    let workflow = subscribeWorkflow(client, opponent)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    return (client, workflow)
  }

  @Test func `a refused start is reported, and the prompt shown`() {
    let (client, workflow) = clientRequestingGame(.player("nobody"))
    _ = client.app.terminal.takeOutput()
    client.server.answer(.error(.unknownPlayer, message: "Nobody is not here."))
    #expect(client.app.terminal.takeOutput() == "Nobody is not here.\n> ")
    #expect(workflow.ends == [.failed(.refused)])
    client.app.type("start bot")
    #expect(
      client.server.takeLines() == [#"{"type":"start","id":3,"opponent":"bot","game":"tictactoe"}"#]
    )
  }

  @Test func `a greeting waits for the reply, so that a script reads no line before it`() {
    let (client, _) = clientRequestingGame(.player("nobody"))
    _ = client.app.terminal.takeOutput()
    client.server.send(.announcement(text: "Welcome!"))
    #expect(client.app.terminal.takeOutput() == "")
    client.server.answer(.error(.unknownPlayer, message: "Nobody is not here."))
    #expect(
      client.app.terminal.takeOutput()
        == "Nobody is not here.\nThe server says: Welcome!\n> ")
  }

  @Test func `the end of an invitation waits for the reply, too`() {
    let (client, _) = clientRequestingGame(.bot)
    client.server.send(.invited(from: "eve", game: "tictactoe"))
    _ = client.app.terminal.takeOutput()
    client.server.send(.invitationDidEnd(from: "eve", game: "tictactoe"))
    #expect(client.app.terminal.takeOutput() == "")
    _ = client.server.takeLines()
    client.server.beginGame(match: "m", o: "bot", isAnswer: true)
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("eve has withdrawn the invitation."))
    #expect(output.hasSuffix("ann, put X on (1 to 9): "))
  }

  @Test func `a session that cannot be kept is reported with the game`() {
    let client = RemoteApp(
      name: "ann", launchAction: .start(against: .bot),
      tokens: TokenFile(folder: "/dev/null/tictactoe"))
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "secret"))
    #expect(client.app.terminal.takeOutput().hasSuffix("Starting a game with the bot …\n"))
    _ = client.server.takeLines()
    client.server.beginGame(match: "m", o: "bot", isAnswer: true)
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("Your session cannot be kept in /dev/null/tictactoe"))
    #expect(output.hasSuffix("ann, put X on (1 to 9): "))
  }

  @Test func `a greeting is shown when the game that was asked for has begun`() {
    let (client, _) = clientRequestingGame(.anyone)
    client.server.send(.announcement(text: "Welcome!"))
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    #expect(client.app.terminal.takeOutput().contains("The server says: Welcome!"))
  }

  @Test func `without a playable game a sentence is shown, and nothing is sent`() {
    let client = RemoteApp(games: [], name: "ann")
    let workflow = subscribeWorkflow(client, .bot)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(
      client.app.terminal.takeOutput()
        == lobby + "This client cannot play any of the server's games.\n> ")
    #expect(client.server.takeLines().isEmpty)
    #expect(workflow.ends == [.failed(.refused)])
  }

  @Test func `a game without a plugin is left`() {
    let (client, workflow) = clientRequestingGame(.anyone)
    client.server.beginGame(.large, match: "m")
    #expect(workflow.ends == [.failed(.refused)])
    #expect(
      client.app.terminal.takeOutput().contains("a game that cannot be played here: large.\n> "))
  }

  @Test func `cancelling the wait cancels the launch action`() {
    let (client, workflow) = clientRequestingGame(.player("bob"))
    client.server.answer(.didQueue(game: "tictactoe", opponent: "bob"))
    #expect(
      client.app.terminal.takeOutput().hasSuffix("Waiting for bob. To stop waiting, type: cancel\n")
    )
    #expect(workflow.ends.isEmpty)
    client.app.type("cancel")
    client.server.answer(.didCancel())
    #expect(client.app.terminal.takeOutput() == nextLobby + "> ")
    #expect(workflow.ends == [.failed(.cancelled)])
  }

  @Test func `an opponent who leaves cancels the launch action`() {
    let (client, workflow) = clientRequestingGame(.player("bob"))
    client.server.answer(.didQueue(game: "tictactoe", opponent: "bob"))
    client.server.send(.didCancel())
    #expect(client.app.terminal.takeOutput().hasSuffix("bob has gone.\n" + nextLobby + "> "))
    #expect(workflow.ends == [.failed(.cancelled)])
  }

  @Test func `the launch action completes when the game begins after a wait`() {
    let (client, workflow) = clientRequestingGame(.anyone)
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.server.beginGame(match: "m")
    #expect(workflow.ends == [.done])
  }

  @Test func `a connection lost before the answer delays the launch action`() {
    let client = RemoteApp(name: "ann")
    let workflow = subscribeWorkflow(client, .bot)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    client.server.cut()
    #expect(workflow.ends.isEmpty)
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(client.server.takeLines().last?.contains(#""opponent":"bot""#) == true)
    client.server.beginGame(match: "m", o: "bot", isAnswer: true)
    #expect(workflow.ends == [.done])
    #expect(client.app.exitReports.isEmpty)
  }

  @Test(arguments: 0...1) func `a connection lost before the login fails the launch action`(
    _ state: Int
  ) {
    let client = RemoteApp(name: "ann", isInteractive: false)
    let workflow = subscribeWorkflow(client, .bot)
    if state > 0 { client.server.greet() }
    client.server.cut()
    #expect(workflow.ends == [.failed(.closed)])
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
  }
}
