import Testing

@testable import Tutorial1

/// The whole tree, from typed lines.
@Suite struct TreeTests {
  private let program = Program1()

  @Test func `RIBs are attached and detached as the person goes on`() {
    #expect(program.start() == ["Who plays X?"])
    #expect(program.tree == ["Root", "  LoggedOut"])
    _ = program.type("ann")
    _ = program.type("")
    #expect(program.tree == ["Root", "  LoggedIn", "    OffGame"])
    _ = program.type("start")
    #expect(program.tree == ["Root", "  LoggedIn", "    TicTacToe"])
    for move in ["1 1", "2 1", "1 2", "2 2", "1 3"] { _ = program.type(move) }
    #expect(program.tree == ["Root", "  LoggedIn", "    OffGame"])
    #expect(program.type("logout") == ["Who plays X?"])
    #expect(program.tree == ["Root", "  LoggedOut"])
  }

  @Test func `the score begins again after a log-out`() {
    _ = program.start()
    for line in ["ann", "bob", "start", "1 1", "2 1", "1 2", "2 2"] { _ = program.type(line) }
    #expect(program.type("1 3").suffix(2) == ["ann 1 : 0 bob", "Type start or logout."])
    for line in ["logout", "cas"] { _ = program.type(line) }
    #expect(program.type("") == ["cas 0 : 0 Player 2", "Type start or logout."])
  }
}
