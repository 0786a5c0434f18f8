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
    #expect(app.type("resign").hasSuffix("To leave the match, type: leave\n> "))
    #expect(app.type("leave").hasSuffix("To play the computer, type: start bot\n> "))
  }
}
