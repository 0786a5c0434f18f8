import Shared
import TestSupport
import Testing

@testable import Client

/// Whole sessions from a pipe: each line is taken at its turn, and the output reads like a session.
@Suite struct PipedSessionTests {
  private func pipe(_ lines: String..., into app: TestApp) {
    app.terminal.feed(Array((lines.joined(separator: "\n") + "\n").utf8))
    app.terminal.end()
  }

  @Test func `a game at one keyboard, to the last letter`() {
    let app = TestApp.local(isInteractive: false)
    pipe("ann", "", "cancel", "start", "1", "1", "nonsense", "resign", "leave", into: app)
    #expect(
      app.terminal.take() == """
        First player's name (blank: Player 1): ann
        Second player's name (blank: Player 2): 
        You are ann and Player 2.
        To play one another, type: start. To play the computer, type: start bot
        > cancel
        You are not waiting for anybody; to play, type: start
        > start
        ann plays X, Player 2 plays O.
         1 | 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
        ann, put X on (1 to 9): 1
        ann puts X on 1.
         X | 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
        Player 2, put O on (1 to 9): 1
        That cell already has a mark.
        Player 2, put O on (1 to 9): nonsense
        “nonsense” means nothing here. To see what does, type: help
        Player 2, put O on (1 to 9): resign
        Player 2 gives up: ann wins.
        ann: 1, Player 2: 0, draws: 0.
        For the next game, type: start. To leave the match, type: leave
        > leave
        You are ann and Player 2.
        To play one another, type: start. To play the computer, type: start bot
        > 

        """)
    #expect(app.farewells == [Farewell(code: .ok, sentence: nil)])
  }

  @Test func `at a server a move waits for its turn`() {
    let client = RemoteApp(isInteractive: false)
    let (app, server) = (client.app, client.server)
    pipe("ann", "start", "5", into: app)
    #expect(server.take().isEmpty)
    server.greet()
    #expect(server.take() == [#"{"type":"login","name":"ann"}"#])
    server.answer(.didLogin(name: "ann", token: nil))
    #expect(server.take() == [#"{"type":"start","game":"tictactoe"}"#])
    server.begin(match: "m", you: .o, x: "bob", o: "ann")
    #expect(server.take().isEmpty)
    server.move(1)
    #expect(server.take() == [#"{"type":"place","row":1,"col":1}"#])
    server.move(5)
    #expect(server.take().isEmpty)
    server.move(2)
    #expect(server.take() == [#"{"type":"quit"}"#])
  }

  @Test func `an empty input quits at the first question`() {
    let local = TestApp.local(isInteractive: false)
    local.terminal.end()
    #expect(local.terminal.take() == "First player's name (blank: Player 1): \n")
    #expect(local.farewells == [Farewell(code: .ok, sentence: nil)])
  }
}
