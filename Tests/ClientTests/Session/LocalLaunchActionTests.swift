import Shared
import Testing

@testable import Client

/// Launch actions of the command line in local play.
@Suite struct LocalLaunchActionTests {
  @Test func `the game begins as soon as the names are known`() {
    let app = TestApp.local(launchAction: .start(against: .bot))
    #expect(app.terminal.takeOutput() == "First player's name (blank: Player 1): ")
    let screen = app.type("ann", "bob")
    #expect(screen.contains("Starting a game with the bot …\nann plays X, bot plays O.\n"))
    #expect(screen.hasSuffix("ann, put X on (1 to 9): "))
  }

  @Test(arguments: [.anyone, .player("bob")] as [Opponent])
  func `a launch action can name the other local player`(_ opponent: Opponent) {
    let app = TestApp.local(launchAction: .start(against: opponent))
    #expect(app.type("ann", "bob").contains("ann plays X, bob plays O.\n"))
  }

  @Test func `refused names are asked for again before the game starts`() {
    let app = TestApp.local(launchAction: .start(against: .bot))
    app.type("ann", "ann")
    #expect(app.type("ann", "bob").contains("ann plays X, bot plays O.\n"))
  }

  @Test func `an unknown opponent is reported with a sentence and the prompt`() {
    let app = TestApp.local(launchAction: .start(against: .player("eve")))
    #expect(
      app.type("ann", "bob").hasSuffix(
        "Starting a game with eve …\n"
          + "eve is not at this keyboard. To play, type: start\n> "))
    #expect(app.type("start").contains("ann plays X, bob plays O.\n"))
  }

  @Test func `the launch action does not start a second game`() {
    let app = TestApp.local(launchAction: .start(against: .bot))
    app.type("ann", "bob")
    #expect(app.type("resign", "yes").hasSuffix("To leave the match, type: leave\n> "))
    #expect(app.type("leave").hasSuffix("To play the computer, type: start bot\n> "))
  }

  @Test func `a game against the bot asks for one name`() {
    let app = TestApp.local(asksForBoth: false, launchAction: .start(against: .bot))
    #expect(app.terminal.takeOutput() == "Your name (blank: Player 1): ")
    #expect(app.type("ann").contains("Starting a game with the bot …\nann plays X, bot plays O.\n"))
    app.type("resign", "yes")
    #expect(app.type("leave").contains("To play against each other"))
    #expect(app.type("start").contains("ann plays X, Player 2 plays O.\n"))
  }

  @Test func `a game against the bot with a name on the command line asks nothing`() {
    let app = TestApp.local(
      name: "ann", asksForBoth: false, launchAction: .start(against: .bot))
    #expect(app.terminal.takeOutput().contains("Starting a game with the bot …\nann plays X"))
  }

  @Test(arguments: [("", "Player 1"), ("player 2", "Player 1"), ("Player 1", "Player 2")])
  func `the player who is not asked has another name`(_ name: String, _ other: String) {
    let app = TestApp.local(asksForBoth: false, launchAction: .start(against: .bot))
    app.type(name, "leave", "yes")
    let second = name.isEmpty ? "Player 2" : other
    #expect(app.type("start").contains(", \(second) plays O.\n"))
  }

  @Test func `the name on the command line is the first player's`() {
    let app = TestApp.local(name: "ann")
    #expect(app.terminal.takeOutput() == "Second player's name (blank: Player 2): ")
    #expect(app.type("bob").contains("You are ann and bob."))
  }

  @Test func `a name on the command line that is not allowed is asked for again`() {
    let app = TestApp.local(name: "bot")
    let output = app.terminal.takeOutput()
    #expect(output.hasSuffix("First player's name (blank: Player 1): "))
    #expect(app.type("ann", "bob").contains("You are ann and bob."))
  }

  @Test func `in a script, a name that is not allowed ends the program`() {
    let app = TestApp.local(name: "bot", isInteractive: false)
    #expect(app.exitReports.first?.code == .unavailable)
  }
}
