import Testing

@testable import Tutorial3

@Suite struct WireTests {
  @Test(arguments: [
    TicTacToeCommand.begin, .place(Cell(row: 1, column: 3)), .place(Cell(row: -1, column: 9)),
    .leave,
  ])
  func `a command is the same after the wire`(command: TicTacToeCommand) {
    #expect(TicTacToeCommand(line: command.line) == command)
  }

  @Test func `an event is the same after the wire`() throws {
    var board = Board()
    try board.place(at: Cell(row: 2, column: 2))
    for event in [
      TicTacToeEvent.board(board), .over(.draw), .over(.won(.o)), .refused(.taken),
    ] {
      #expect(TicTacToeEvent(line: event.line) == event)
    }
  }

  @Test(arguments: ["", "begin now", "place", "place 1", "place a b", "place 1 2 3", "place 1 b 2"])
  func `a line that is no command is ignored`(line: String) {
    #expect(TicTacToeCommand(line: line) == nil)
  }

  @Test(arguments: ["", "board", "board XO", "board XOXOXOXO?", "over", "over Z", "refused no"])
  func `a line that is no event is ignored`(line: String) {
    #expect(TicTacToeEvent(line: line) == nil)
  }

  @Test func `nothing arrives before it is delivered`() {
    let wire = MemoryWire()
    let receiver = Receiver()
    wire.far.receiver = receiver
    wire.near.send("1")
    wire.near.send("2")
    #expect(receiver.lines == [])
    wire.deliver()
    #expect(receiver.lines == ["1", "2"])
  }

  @Test func `the tree shows a proxy, and the host has the game`() {
    let program = Program3()
    _ = program.start()
    for line in ["ann", "bob", "tictactoe"] { _ = program.type(line) }
    #expect(program.tree == ["Root", "  LoggedIn", "    TicTacToe"])
    #expect(program.hostTree == ["Host", "  TicTacToe"])
    for move in ["1 1", "2 1", "1 2", "2 2", "1 3"] { _ = program.type(move) }
    #expect(program.hostTree == ["Host"])
  }

  private final class Receiver: WireReceiver {
    private(set) var lines: [String] = []

    func didReceive(_ line: String) { lines.append(line) }
  }
}
