import Shared
import Testing

@testable import Client

/// A game in plain lines: its output and its commands.
@Suite struct PlainTicTacToeViewTests {
  private let terminal = TestTerminal()

  private func view(
    seat: Seat = .one(.x), x: Player = .person("ann"), o: Player = .person("bob"),
    board: Board = Board(.ticTacToe), game: GameInfo = .ticTacToe
  ) -> PlainTicTacToeView {
    PlainTicTacToeView(
      console: terminal.console, game: game,
      setup: GameSetup(series: Series(PerMark(x: x, o: o)), seat: seat, board: board))
  }

  @Test func `the beginning shows the marks and asks the player to move`() {
    view().show(Board(.ticTacToe))
    #expect(
      terminal.takeOutput() == """
        ann plays X, bob plays O.
         1 | 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
        ann, put X on (1 to 9): 
        """)
  }

  @Test(arguments: [Seat.one(.o), .none])
  func `a player who is not to move sees whose turn it is`(_ seat: Seat) {
    view(seat: seat).show(Board(.ticTacToe))
    #expect(terminal.takeOutput().hasSuffix(" 7 | 8 | 9\nIt is ann's turn.\n"))
  }

  @Test func `both local players are asked to move, and the bot is not`() throws {
    var board = Board(.ticTacToe)
    let view = view(seat: .both)
    view.show(board)
    let change = try board.place(.x, at: Cell(row: 1, column: 1))
    view.apply(change)
    #expect(terminal.takeOutput().hasSuffix("\nbob, put O on (1 to 9): "))
    let against = self.view(seat: .both, o: .bot)
    against.show(Board(.ticTacToe))
    against.apply(change)
    #expect(terminal.takeOutput().hasSuffix("\nIt is bot's turn.\n"))
  }

  @Test func `an open question is withdrawn when the turn changes`() throws {
    var board = Board(.ticTacToe)
    let view = view()
    view.show(board)
    // The player types another command before the move is confirmed.
    terminal.type("1")
    #expect(view.didType("help"))
    #expect(terminal.takeOutput().hasSuffix("\nann, put X on (1 to 9): "))
    view.apply(try board.place(.x, at: Cell(row: 0, column: 0)))
    #expect(terminal.takeOutput().hasSuffix("\nIt is bob's turn.\n"))
  }

  @Test func `a move is shown as a sentence and the board`() throws {
    var board = Board(.ticTacToe)
    let view = view(seat: .one(.o))
    view.show(board)
    _ = terminal.takeOutput()
    view.apply(try board.place(.x, at: Cell(row: 1, column: 1)))
    #expect(
      terminal.takeOutput() == """
        ann puts X on 5.
         1 | 2 | 3
        ---+---+---
         4 |(X)| 6
        ---+---+---
         7 | 8 | 9
        bob, put O on (1 to 9): 
        """)
  }

  @Test(arguments: [
    (
      Outcome(
        winner: .x, reason: .line,
        line: [Cell(row: 0, column: 0), Cell(row: 1, column: 1), Cell(row: 2, column: 2)]),
      "You win with 1, 5, 9.\n"
    ),
    (Outcome(winner: nil, reason: .full), "The game is a draw.\n"),
    (Outcome(winner: .o, reason: .resigned), "You lost.\nYou resigned: bob wins.\n"),
    (Outcome(winner: .x, reason: .timeout), "bob has run out of time: you win.\n"),
    (Outcome(winner: .x, reason: .abandoned), "bob did not reconnect: you win.\n"),
    (Outcome(winner: .o, reason: .left), "You lost.\nYou left: bob wins.\n"),
    (Outcome(winner: .o, reason: .full), "The game is a draw.\n"),
    (Outcome(winner: nil, reason: .timeout), "The game is a draw.\n"),
  ])
  func `every outcome is shown as a sentence without a question`(
    _ outcome: Outcome, _ sentence: String
  ) {
    let view = view()
    view.show(Board(.ticTacToe))
    view.announce(outcome)
    #expect(terminal.takeOutput().hasSuffix(" 9\n" + sentence))
  }

  @Test(arguments: [
    (MoveError.cellTaken, "That cell already has a mark.\n"),
    (.notYourTurn, "It is not your turn. Wait for your opponent's move.\n"),
    (.outOfBoard, "That cell is not on the board. Rows and columns count from 0.\n"),
    (.noGame, "The game is over. To play the next game, type: start\n"),
  ])
  func `every refusal is shown as a sentence, and the question repeated`(
    _ refusal: MoveError, _ sentence: String
  ) {
    let view = view()
    view.refuse(refusal, to: nil)
    #expect(terminal.takeOutput() == sentence + "ann, put X on (1 to 9): ")
  }

  @Test(arguments: [
    ("1", 0, 0), ("9", 2, 2), (" 6 ", 1, 2), ("08", 2, 1), ("place 5", 1, 1), ("PLACE  9", 2, 2),
    // Row and column.
    ("Place 1 1", 0, 0), ("place 1 3", 0, 2), ("3 2", 2, 1), ("2,3", 1, 2), ("3 , 1", 2, 0),
    // The letter of a column and the number of a row.
    ("b3", 2, 1), ("place C1", 0, 2), ("a 2", 1, 0),
  ])
  func `a move selects its cell, counted from the top left`(
    _ line: String, _ row: Int, _ column: Int
  ) {
    let (view, listener) = (view(), TicTacToePresentableListenerMock())
    view.listener = listener
    #expect(view.didType(line))
    #expect(listener.calls == [.place(Cell(row: row, column: column), nil)])
  }

  @Test(arguments: ["0", "10", "-1", "999999999"])
  func `a number without a cell is refused, and the question repeated`(_ line: String) {
    let (view, listener) = (view(), TicTacToePresentableListenerMock())
    view.listener = listener
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(
      terminal.takeOutput()
        == "There is no cell \(line). The cells are 1 to 9.\nann, put X on (1 to 9): ")
  }

  @Test func `resign is handled by the view, and leave by the root`() {
    let (view, listener) = (view(), TicTacToePresentableListenerMock())
    view.listener = listener
    #expect(view.didType("resign"))
    #expect(listener.calls == [.resign(nil)])
    #expect(!view.didType(" leave "))
  }

  @Test(arguments: ["help", " ?", "Help"])
  func `help is shown and the question asked again`(_ line: String) {
    #expect(view().didType(line))
    #expect(
      terminal.takeOutput() == PlainTicTacToeView.help(for: .ticTacToe, hasChat: true)
        + "\nann, put X on (1 to 9): ")
  }

  @Test(arguments: ["what?", "1 1 1", "99999999999999999999", "b", "1 b", "b-1"])
  func `an unknown command is refused with a sentence`(_ line: String) {
    #expect(view().didType(line))
    #expect(
      terminal.takeOutput()
        == "“\(line)” is not a command. To place your mark, type a number from 1 to 9;"
        + " to see the commands, type: help\nann, put X on (1 to 9): ")
  }

  @Test(arguments: ["place", "place x", "place 1 2 3", "place 1 x", "place b b"])
  func `a place without a number is refused with a sentence`(_ line: String) {
    let (view, listener) = (view(), TicTacToePresentableListenerMock())
    view.listener = listener
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(
      terminal.takeOutput() == "To place your mark, type a number from 1 to 9, with or without"
        + " “place” before it.\nann, put X on (1 to 9): ")
  }

  @Test(arguments: [(0, 0), (1, 0), (4, 1), (3, -1), (Int.min, Int.max)])
  func `a row and a column outside the board are refused`(_ row: Int, _ column: Int) {
    let (view, listener) = (view(), TicTacToePresentableListenerMock())
    view.listener = listener
    #expect(view.didType("place \(row) \(column)"))
    #expect(listener.calls.isEmpty)
    #expect(
      terminal.takeOutput() == "There is no row \(row) with a column \(column). The rows are"
        + " 1 to 3, from the top, and the columns 1 to 3.\nann, put X on (1 to 9): ")
  }

  @Test(arguments: ["d1", "a4", "place z 99"])
  func `a label outside the board is refused`(_ line: String) {
    let (view, listener) = (view(), TicTacToePresentableListenerMock())
    view.listener = listener
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(
      terminal.takeOutput() == "That cell is not on the board. The cells are a1 to c3.\n"
        + "ann, put X on (1 to 9): ")
  }

  @Test func `a large board is asked for with letters and numbers`() {
    let (view, listener) = (
      view(board: GameInfo.gomoku.board, game: .gomoku), TicTacToePresentableListenerMock()
    )
    view.listener = listener
    view.show(GameInfo.gomoku.board)
    #expect(terminal.takeOutput().hasSuffix("\nann, put X on (a1 to o15): "))
    for line in ["h8", "8 8", "place O 15"] { #expect(view.didType(line)) }
    #expect(
      listener.calls == [
        .place(Cell(row: 7, column: 7), nil), .place(Cell(row: 7, column: 7), nil),
        .place(Cell(row: 14, column: 14), nil),
      ])
    // A single number could be meant as a row as well.
    #expect(view.didType("113"))
    #expect(listener.calls.count == 3)
    #expect(
      terminal.takeOutput().contains(
        "113 alone means no cell. To place your mark, type a letter and a number, such as h8,"
          + " or a row and a column: 8 8.\n"))
  }

  @Test func `a move is named as the board shows it`() throws {
    for (game, cell, name) in [
      (GameInfo.gomoku, Cell(row: 7, column: 7), "on h8"),
      (.ultimate, Cell(row: 8, column: 0), "on a9"), (.four, Cell(row: 0, column: 3), "on d1"),
      (.connect, Cell(row: 5, column: 3), "in column 4"),
      (.misere, Cell(row: 2, column: 2), "on 9"),
    ] {
      var board = game.board
      let view = view(board: board, game: game)
      view.show(board)
      view.apply(try board.place(.x, at: cell))
      #expect(terminal.takeOutput().contains("\nann puts X \(name).\n"))
    }
  }

  @Test func `the last move is marked in every board`() throws {
    var board = Board(.ticTacToe)
    let view = view()
    view.apply(try board.place(.x, at: Cell(row: 0, column: 0)))
    #expect(terminal.takeOutput().contains("(X)| 2 | 3\n"))
    #expect(view.didType("board"))
    #expect(terminal.takeOutput().contains("(X)| 2 | 3\n"))
    // A snapshot with one more move, twice.
    _ = try board.place(.o, at: Cell(row: 2, column: 2))
    view.show(board)
    view.show(board)
    #expect(terminal.takeOutput().split(separator: "\n").filter { $0 == " 7 | 8 |(O)" }.count == 2)
    _ = try board.place(.x, at: Cell(row: 0, column: 1))
    _ = try board.place(.o, at: Cell(row: 0, column: 2))
    view.show(board)
    #expect(terminal.takeOutput().contains(" X | X |(O)\n"))
    view.show(Board(.ticTacToe))
    let output = terminal.takeOutput()
    #expect(!output.contains("(X)") && !output.contains("(O)"))
  }

  @Test func `the winning line is named as the board shows it`() {
    func sentence(_ game: GameInfo, _ line: [Cell]) -> String {
      Outcome(winner: .x, reason: .line, line: line).sentence(
        players: PerMark(x: .person("ann"), o: .person("bob")), game: game)
    }
    let diagonal = (0..<5).map { Cell(row: $0, column: $0 + 3) }
    #expect(sentence(.gomoku, diagonal) == "ann wins with d1, e2, f3, g4, h5.")
    #expect(
      sentence(.connect, Array(diagonal[1...4]))
        == "ann wins with the line from row 2, column 5 to row 5, column 8.")
    let boards = [0, 3, 6].flatMap { start in
      (0..<9).map { Cell(row: start + $0 / 3, column: start + $0 % 3) }
    }
    #expect(sentence(.ultimate, boards) == "ann wins with the boards a1 to c3, d4 to f6, g7 to i9.")
  }

  @Test(arguments: ["history", "Start bot", "leaderboard", "list", "join x", "GAME gomoku"])
  func `a command of the lobby is for after the game`(_ line: String) {
    #expect(view().didType(line))
    let word = TypedLine(line).word
    #expect(
      terminal.takeOutput() == "“\(word)” works after the game. To see what you can type now,"
        + " type: help\nann, put X on (1 to 9): ")
    #expect(view(seat: .none).didType(line))
    #expect(terminal.takeOutput().contains("“\(word)” works when you have left this match. "))
  }

  @Test(arguments: [("boardd", "board"), ("Resgin", "resign"), ("hlep", "help"), ("qiut", "quit")])
  func `an unknown word is guessed at`(_ line: String, _ guess: String) {
    #expect(view().didType(line))
    #expect(
      terminal.takeOutput().hasPrefix(
        "“\(line)” is not a command. Did you mean \(guess)? To see the commands, type: help\n"))
  }

  @Test func `where marks drop, a number is a column`() throws {
    let (view, listener) = (view(game: .connect), TicTacToePresentableListenerMock())
    view.listener = listener
    view.show(GameInfo.connect.board)
    #expect(view.didType("place 7"))
    #expect(view.didType("1"))
    #expect(
      listener.calls == [
        .place(Cell(row: 5, column: 6), nil), .place(Cell(row: 5, column: 0), nil),
      ])
    _ = terminal.takeOutput()
    #expect(view.didType("8"))
    #expect(terminal.takeOutput().contains("There is no column 8. The columns are 1 to 7.\n"))
    let helps = [GameInfo.connect, .gomoku].map { PlainTicTacToeView.help(for: $0, hasChat: true) }
    #expect(helps[0].contains("column; they are 1 to 7"))
    #expect(helps[1].contains("row 3; the cells are a1 to o15"))
  }

  @Test func `where marks drop, a row is checked`() throws {
    var board = GameInfo.connect.board
    for row in (0...5).reversed() {
      _ = try board.place(board.turn ?? .x, at: Cell(row: row, column: 1))
    }
    let (view, listener) = (
      view(board: board, game: .connect), TicTacToePresentableListenerMock()
    )
    view.listener = listener
    for line in ["6 1", "c6", "place 6 7"] { #expect(view.didType(line)) }
    #expect(listener.calls.count == 3)
    #expect(view.didType("1 3"))
    #expect(
      terminal.takeOutput().contains(
        "In column 3 a mark drops to row 6, not to row 1. To drop it there, type: 3\n"))
    for line in ["2", "b1", "6 2"] {
      #expect(view.didType(line))
      #expect(terminal.takeOutput().contains("Column 2 is full.\n"))
    }
    #expect(listener.calls.count == 3)
  }

  @Test func `an empty line repeats the question`() {
    #expect(view().didType("  "))
    #expect(terminal.takeOutput() == "ann, put X on (1 to 9): ")
  }
}

private final class TicTacToePresentableListenerMock: TicTacToePresentableListener {
  enum Call: Equatable {
    case place(Cell, Mark?)
    case resign(Mark?)
  }

  private(set) var calls: [Call] = []

  func place(at cell: Cell, by mark: Mark?) { calls.append(.place(cell, mark)) }
  func resign(by mark: Mark?) { calls.append(.resign(mark)) }
}
