import Shared
import TestSupport
import Testing

@testable import Client

/// Golden images of a game on the full screen.
@Suite struct TicTacToeSceneTests {
  @Test func `a new game`() throws {
    try expectGolden(Self.scene().frame(), "game-fresh")
    try expectGolden(Self.scene().frame(Size(rows: 40, columns: 120)), "game-fresh-large")
  }

  @Test func `a running game with its last move`() throws {
    let frame = Self.middle().frame()
    try expectGolden(frame, "game")
    #expect(!frame.isAnimated)
    #expect(frame.cursor != nil)
  }

  @Test func `the opponent's turn`() throws {
    var scene = Self.middle()
    _ = scene.press(.character("8"), in: .usual)
    Self.play(7, in: &scene)
    let frame = scene.frame()
    try expectGolden(frame, "game-other")
    #expect(frame.isAnimated)
    #expect(frame.cursor == nil)
  }

  @Test func `the reason for a refused move is shown below the board`() throws {
    var scene = Self.middle()
    scene.message = ErrorCode.notYourTurn.message
    try expectGolden(scene.frame(), "game-refused")
    try expectGolden(scene.frame(scene.smallest), "game-refused-small")
  }

  @Test(arguments: [
    Size(rows: 30, columns: 100), .usual, Size(rows: 20, columns: 60), Size(rows: 15, columns: 80),
    Size(rows: 40, columns: 200),
  ])
  func `news of the match does not cover the sentence below the board`(
    size: Size
  ) throws {
    var news = NewsScene()
    news.news.match = "m"
    for number in 1...20 {
      news.news.add(MatchNews.Remark(from: "bob", text: "what he says for the time no \(number)"))
    }
    for sentence in [
      SessionCommands.noAnswer,
      "Perhaps not sent, because there is no connection to the server now: “me too”",
    ] {
      var scene = Self.middle()
      scene.message = sentence
      let alone = scene.frame(size)
      var frame = alone
      news.draw(into: &frame, area: scene.newsArea(in: size), now: .zero)
      let hidden = (1..<size.rows).filter { row in
        (0..<size.columns).contains {
          alone[row, $0] != .blank && frame[row, $0] != alone[row, $0]
        }
      }
      #expect(hidden.isEmpty, "rows that are written over")
      #expect(frame.lines.contains { $0.contains("no 20") })
      #expect(frame.lines.contains { $0.contains("ere is no connection") })
    }
  }

  @Test func `a notice stays for a while beside the next one`() {
    let timers = ManualTimers()
    let setup = GameSetup(series: Self.series, seat: .one(.x), board: Board(.ticTacToe))
    let view = TicTacToeView(screen: Screen(timers: timers), game: .ticTacToe, setup: setup)
    func text() -> String {
      var frame = Frame(size: .usual)
      view.draw(into: &frame)
      return frame.lines.joined(separator: "\n")
    }
    view.say("Not sent: hello")
    timers.advance(by: .seconds(2))
    view.say("The server was away.")
    #expect(text().contains("Not sent: hello"))
    #expect(text().contains("The server was away."))
    timers.advance(by: .seconds(4))
    view.say("Another one.")
    #expect(!text().contains("Not sent: hello"))
    #expect(text().contains("Another one."))
  }

  @Test func `an unconfirmed move is shown as waiting after 300 milliseconds`() throws {
    let timers = ManualTimers()
    let setup = GameSetup(series: Self.series, seat: .one(.x), board: Board(.ticTacToe))
    let view = TicTacToeView(screen: Screen(timers: timers), game: .ticTacToe, setup: setup)
    func frame() -> Frame {
      var frame = Frame(size: .usual)
      view.draw(into: &frame)
      return frame
    }
    let before = frame()
    #expect(!before.isAnimated)
    timers.advance(by: RepeatFilter.quietTime)
    _ = view.press(.enter)
    #expect(frame().lines == before.lines)
    #expect(frame().isAnimated)
    timers.advance(by: .milliseconds(300))
    try expectGolden(frame(), "game-sent")
    view.refuse(.cellTaken, to: nil)
    #expect(frame().position(of: "Waiting for the server") == nil)
    timers.advance(by: RepeatFilter.quietTime)
    _ = view.press(.enter)
    timers.advance(by: .seconds(1))
    #expect(frame().position(of: "Waiting for the server") != nil)
    var board = Board(.ticTacToe)
    view.apply(try board.place(.x, at: Cell(row: 1, column: 1)))
    #expect(frame().position(of: "Waiting for the server") == nil)
  }

  @Test func `a digit that is held does not play when its turn comes`() {
    var repeats = RepeatFilter(now: .zero)
    func passes(_ key: Character, after milliseconds: Int) -> Bool {
      time += .milliseconds(milliseconds)
      return repeats.passes(.character(key), at: time)
    }
    var time = Duration.zero
    #expect(passes("5", after: 0))
    for _ in 0..<100 { #expect(!passes("5", after: 30)) }
    #expect(passes("6", after: 30))
    #expect(passes(" ", after: 30))
    #expect(!passes(" ", after: 30))
    #expect(passes("6", after: 30))
    #expect(passes("6", after: 500))
  }

  @Test func `the name of a cell may have a digit twice`() {
    let setup = GameSetup(series: Self.series, seat: .one(.x), board: Board(.gomoku))
    let view = TicTacToeView(
      screen: Screen(timers: ManualTimers()), game: .gomoku, setup: setup)
    for key in "gk11" { _ = view.press(.character(key)) }
    var frame = Frame(size: Size(rows: 40, columns: 100))
    view.draw(into: &frame)
    #expect(frame.position(of: "k11") != nil)
  }

  @Test func `resigning and leaving ask for confirmation`() throws {
    var scene = Self.middle()
    _ = scene.press(.character("r"), in: .usual)
    let frame = scene.frame()
    try expectGolden(frame, "game-resign")
    #expect(frame.cursor == nil)
    scene.question = .leave
    try expectGolden(scene.frame(scene.smallest), "game-leave-small")
  }

  @Test func `a game seen by a spectator`() throws {
    var scene = Self.scene(seat: .none)
    for index in [4, 0, 8] { Self.play(index, in: &scene) }
    let frame = scene.frame()
    try expectGolden(frame, "game-watched")
    #expect(frame.cursor == nil)
  }

  @Test func `local games of two players and against the bot`() throws {
    var scene = Self.scene(
      series: Series(PerMark(x: .person("김철수"), o: .person("Zoë 😀"))), seat: .both)
    Self.play(4, in: &scene)
    try expectGolden(scene.frame(), "game-local")
    var bot = Self.scene(
      series: Series(PerMark(x: .bot, o: .person("ann")), score: Score(x: 1)), seat: .both)
    Self.play(4, in: &bot)
    try expectGolden(bot.frame(), "game-bot")
  }

  @Test func `other sizes of the board`() throws {
    var scene = Self.scene(.large)
    for index in [5, 6, 9] { Self.play(index, in: &scene) }
    try expectGolden(scene.frame(), "game-4x4")
    var large = Self.scene(try Self.gomoku())
    for index in [180, 161, 162, 181, 200, 142, 198] { Self.play(index, in: &large) }
    #expect(Size.usual.holds(large.minimumSize(in: .usual)))
    try expectGolden(large.frame(), "game-19x19")
    large.question = .leave
    try expectGolden(large.frame(), "game-19x19-leave")
  }

  @Test func `connect shows the digit of each column on its open cell`() throws {
    var scene = Self.scene(.connect)
    for index in [38, 37, 31, 30, 39] { Self.play(index, in: &scene) }
    try expectGolden(scene.frame(), "game-connect")
    try expectGolden(scene.frame(scene.smallest), "game-connect-small")
  }

  @Test func `ultimate marks the open board and draws won boards large`() throws {
    var scene = Self.scene(.ultimate)
    // O has won the board in the middle, and must play in the one at the bottom left.
    let moves = [
      (0, 0), (0, 2), (1, 8), (4, 7), (4, 4), (4, 5), (3, 7), (1, 4), (4, 3), (3, 0), (1, 1),
      (3, 5), (1, 7), (5, 5), (7, 6), (4, 0), (4, 2), (5, 8), (8, 8), (8, 7), (8, 3),
    ]
    for (row, column) in moves {
      Self.play(scene.game.shape.index(of: Cell(row: row, column: column)), in: &scene)
    }
    try expectGolden(scene.frame(), "game-ultimate")
    try expectGolden(scene.frame(scene.smallest), "game-ultimate-small")
  }

  @Test func `gomoku fits on a usual terminal`() throws {
    var scene = Self.scene(.gomoku)
    for index in [112, 97, 113, 98, 96, 111] { Self.play(index, in: &scene) }
    try expectGolden(scene.frame(), "game-gomoku")
  }

  @Test(arguments: GameInfo.all)
  func `each game fits on a usual terminal, and each open cell can be clicked`(
    _ game: GameInfo
  ) {
    let scene = Self.scene(game)
    #expect(Size.usual.holds(scene.minimumSize(in: .usual)))
    for size in [Size.usual, scene.smallest, Size(rows: 60, columns: 200)] {
      let layout = scene.layout(in: size)
      for index in 0..<game.shape.cellCount {
        let cell = game.shape.cell(at: index)
        #expect(layout.cell(at: layout.corner(of: cell)) == cell)
      }
    }
  }

  @Test(arguments: GameInfo.all)
  func `each game at its smallest size, on a narrow, a usual and a wide terminal`(
    _ game: GameInfo
  ) throws {
    var scene = Self.scene(game)
    // The first marks in the middle.
    for _ in 1...5 {
      let middle = game.shape.cellCount / 2
      let open = scene.board.openCells.map(game.shape.index)
      Self.play(open.min { abs($0 - middle) < abs($1 - middle) } ?? 0, in: &scene)
    }
    let sizes = [
      ("smallest", scene.smallest), ("narrow", Size(rows: 24, columns: 40)), ("usual", .usual),
      ("wide", Size(rows: 40, columns: 120)),
    ]
    for (name, size) in sizes {
      #expect(size.holds(scene.minimumSize(in: size)))
      let frame = scene.frame(size)
      try expectGolden(frame, "size-\(game.id)-\(name)")
      #expect(frame.position(of: "bob to move") != nil)
      #expect(frame.position(of: "Last") != nil)
    }
    #expect(Size(rows: 24, columns: 40).holds(scene.smallest))
    #expect(Size(rows: 12, columns: 40).holds(scene.smallest) == (game.shape.rows < 9))
  }

  @Test(arguments: GameInfo.all)
  func `whose turn it is can be read on the smallest screen`(game: GameInfo) {
    var scene = Self.scene(game)
    for columns in 40...60 {
      let size = GameLayout.minimumSize(for: game, columns: columns)
      let frame = scene.frame(Size(rows: size.rows, columns: columns))
      #expect(
        frame.position(of: "Your turn: place X") ?? frame.position(of: "Your turn: X") != nil)
      #expect(!frame.lines.contains { $0.contains("Your turn") && $0.contains("…") })
    }
    Self.play(scene.board.openCells.first.map(game.shape.index) ?? 0, in: &scene)
    let frame = scene.frame(scene.smallest)
    #expect(frame.position(of: "bob to move") != nil)
  }

  @Test func `large boards name their cells, and the last move, by letter and number`() {
    var scene = Self.scene(.gomoku)
    Self.play(7 * 15 + 7, in: &scene)
    let frame = scene.frame()
    #expect(frame.position(of: "Last move: X on h8") != nil)
    #expect(frame.position(of: "─a─b─c─d─e─f─g─h─i─j─k─l─m─n─o─") != nil)
    for row in 1...15 {
      #expect(frame.lines.contains { $0.trimmed.hasPrefix("\(row)│") })
    }
  }

  @Test func `a snapshot marks the last move that it tells`() throws {
    let last = Placement(cell: Cell(row: 1, column: 2), mark: .o)
    let board = try #require(
      Board(.ticTacToe, rows: ["X..", "..O", "..."], turn: .x, lastMove: last))
    let setup = GameSetup(series: Self.series, seat: .none, board: board)
    let scene = TicTacToeScene(game: .ticTacToe, setup: setup)
    #expect(scene.frame().position(of: "Last move: O on 6") != nil)
    let view = TicTacToeView(screen: Screen(), game: .ticTacToe, setup: setup)
    let next = Placement(cell: Cell(row: 2, column: 2), mark: .x)
    view.show(
      try #require(
        Board(.ticTacToe, rows: ["X..", "..O", "..X"], turn: .o, lastMove: next)))
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "Last move: X on 9") != nil)
  }

  @Test func `the smallest terminal`() throws {
    let scene = Self.middle()
    try expectGolden(scene.frame(scene.smallest), "game-small")
  }

  static let series = Series(
    PerMark(x: .person("ann"), o: .person("bob")), score: Score(x: 2, o: 1, draws: 1))

  static func scene(
    _ game: GameInfo = .ticTacToe, series: Series = series, seat: Seat = .one(.x)
  ) -> TicTacToeScene {
    TicTacToeScene(
      game: game, setup: GameSetup(series: series, seat: seat, board: game.board))
  }

  /// A game after four moves, with X to move.
  static func middle() -> TicTacToeScene {
    var scene = scene()
    for index in [4, 0, 2, 6] { play(index, in: &scene) }
    scene.cursor = Cell(row: 1, column: 0)
    return scene
  }

  /// Applies a move of the player to move.
  static func play(_ index: Int, in scene: inout TicTacToeScene) {
    var board = scene.board
    guard let turn = board.turn,
      let change = try? board.place(turn, at: board.shape.cell(at: index))
    else { return }
    scene.apply(change)
  }

  static func gomoku() throws -> GameInfo {
    GameInfo(
      id: "gomoku", name: "Gomoku",
      shape: try #require(BoardShape(rows: 19, columns: 19, inARow: 5)))
  }
}

extension TicTacToeScene {
  /// The smallest screen for the game, which has as few columns as possible.
  var smallest: Size {
    minimumSize(in: Size(rows: 0, columns: GameLayout.minimumSize.columns))
  }
}
