import Shared
import TestSupport
import Testing

@testable import Client

/// Launch actions of the command line in remote play.
@Suite struct LaunchActionTests {
  private let lobby =
    "You are ann.\nTo play, type: start (with anyone), start bot, start NAME, or open (a friend)."
    + "\nTo see who is here, type: list\n"

  private func login(_ id: Int) -> String { #"{"type":"login","id":\#(id),"name":"ann"}"# }

  private func startBot(_ id: Int) -> String {
    #"{"type":"start","id":\#(id),"opponent":"bot","game":"tictactoe"}"#
  }

  @Test func `the name and the opponent are sent without a question`() {
    let client = RemoteApp(name: "ann", launchAction: .start(against: .bot))
    #expect(client.server.takeLines().isEmpty)
    client.server.greet()
    #expect(client.server.takeLines() == [login(1)])
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(client.server.takeLines() == [startBot(2)])
    #expect(client.app.terminal.takeOutput() == lobby + "Starting a game with the bot …\n")
    client.server.beginGame(match: "m", o: "bot")
    #expect(client.app.terminal.takeOutput().hasSuffix("ann, put X on (1 to 9): "))
  }

  @Test(
    arguments: [
      (.anyone, #"{"type":"start","id":2,"game":"tictactoe"}"#, "anyone"),
      (
        .player("bob ross"),
        #"{"type":"start","id":2,"opponent":"bob ross","game":"tictactoe"}"#, "bob ross"
      ),
    ] as [(Opponent, String, String)])
  func `a launch action can name anyone or a player as the opponent`(
    _ opponent: Opponent, _ line: String, _ name: String
  ) {
    let client = RemoteApp(name: "ann", launchAction: .start(against: opponent))
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(client.server.takeLines() == [line])
    #expect(client.app.terminal.takeOutput().hasSuffix("Starting a game with \(name) …\n"))
  }

  @Test func `without a name the form is shown before the game starts`() {
    let client = RemoteApp(launchAction: .start(against: .bot))
    client.server.greet()
    #expect(client.app.terminal.takeOutput() == "Your name (blank: the server picks one): ")
    client.app.type("ann")
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(client.server.takeLines() == [startBot(2)])
  }

  @Test func `a refused name is asked for again before the game starts`() {
    let client = RemoteApp(name: "bob", launchAction: .start(against: .bot))
    client.server.greet()
    client.server.answer(.error(.nameTaken, message: "Bob is here already."))
    #expect(client.app.terminal.takeOutput().hasPrefix("Bob is here already.\nYour name"))
    client.app.type("ann")
    #expect(client.server.takeLines() == [login(2)])
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(client.server.takeLines() == [startBot(3)])
  }

  @Test func `the launch action does not start a second game`() {
    let client = RemoteApp(name: "ann", launchAction: .start(against: .bot))
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    client.server.beginGame(match: "m", o: "bot")
    _ = client.server.takeLines()
    client.server.endGame(Outcome(winner: .o, reason: .resigned))
    client.app.type("leave")
    client.server.endMatch(.left, by: .x)
    #expect(client.server.takeLines() == [#"{"type":"leave","id":3}"#])
  }

  @Test(arguments: 0...2) func `quitting cancels the launch action`(_ state: Int) {
    let client = RemoteApp(name: state == 0 ? nil : "ann", launchAction: .start(against: .bot))
    client.server.greet()
    if state > 1 { client.server.answer(.didLogin(name: "ann", token: nil)) }
    client.discardOutput()
    client.app.type("quit")
    // A pending login is cancelled by closing its connection.
    #expect(
      client.server.takeLines() == (state == 1 ? [] : [#"{"type":"quit","id":\#(state + 1)}"#]))
    if state == 1 { client.server.answer(.didLogin(name: "ann", token: nil)) }
    client.server.send(.bye(.quit))
    #expect(client.server.takeLines().isEmpty)
    #expect(client.app.exitReports == [ExitReport(code: .ok, sentence: nil)])
  }

  @Test func `the first line of a pipe is the first move`() {
    let client = RemoteApp(name: "ann", launchAction: .start(against: .bot), isInteractive: false)
    client.app.terminal.feed(Array("5\n".utf8))
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(client.server.takeLines() == [startBot(2)])
    client.server.beginGame(match: "m", o: "bot")
    #expect(client.server.takeLines() == [#"{"type":"place","id":3,"row":1,"col":1}"#])
  }
}
