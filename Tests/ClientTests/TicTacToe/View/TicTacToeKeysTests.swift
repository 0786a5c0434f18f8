import Shared
import Testing

@testable import Client

/// Keys and clicks in a game on the full screen.
@Suite struct TicTacToeKeysTests {
  @Test func `g goes to a cell by its name, and places nothing`() {
    var scene = TicTacToeSceneTests.scene(.gomoku)
    func type(_ keys: Key...) -> [TicTacToeScene.Action?] {
      keys.map { scene.press($0, in: .usual).action }
    }
    let actions = type(
      .character("g"), .character("B"), .character("1"), .character("4"), .enter)
    #expect(actions.allSatisfy { $0 == nil })
    #expect(scene.cursor == Cell(row: 13, column: 1))
    #expect(scene.cellName == nil)
    // Letters move again.
    _ = type(.character("l"))
    #expect(scene.cursor == Cell(row: 13, column: 2))
    _ = type(.character("g"), .character("z"), .character("9"), .enter)
    #expect(scene.message == "There is no cell z9, only a1 to o15.")
    _ = type(.character("g"), .character("h"), .escape)
    #expect(scene.cursor == Cell(row: 13, column: 2))
    #expect(type(.enter) == [.place(Cell(row: 13, column: 2))])
    var small = TicTacToeSceneTests.scene()
    #expect(small.press(.character("g"), in: .usual) == (nil, false))
  }

  @Test(arguments: [
    ([Key.up], 1), ([.down], 7), ([.left], 3), ([.right], 5), ([.character("k")], 1),
    ([.character("j")], 7), ([.character("h")], 3), ([.character("l")], 5), ([.home], 3),
    ([.end], 5), ([.up, .up, .left, .left], 0), ([.down, .right, .down, .right], 8),
  ])
  func `the cursor moves up to the edges of the board`(keys: [Key], index: Int) {
    var scene = TicTacToeSceneTests.scene()
    for key in keys { #expect(scene.press(key, in: .usual).isUsed) }
    #expect(scene.press(.enter, in: .usual).action == .place(BoardShape.ticTacToe.cell(at: index)))
    #expect(scene.press(.character(" "), in: .usual).action == .place(scene.cursor))
  }

  @Test(arguments: 1...9)
  func `a digit places a mark on its cell`(digit: Int) throws {
    var scene = TicTacToeSceneTests.scene()
    let cell = BoardShape.ticTacToe.cell(at: digit - 1)
    let key = Key.character(try #require("\(digit)".first))
    #expect(scene.press(key, in: .usual).action == .place(cell))
    #expect(scene.cursor == cell)
  }

  @Test(arguments: ["0", "x", "٣", "²", "?"] as [Character])
  func `other characters have no effect`(character: Character) {
    var scene = TicTacToeSceneTests.scene()
    let before = scene
    let pressed = scene.press(.character(character), in: .usual)
    #expect(pressed.action == nil)
    #expect(!pressed.isUsed)
    #expect(scene == before)
  }

  @Test func `digits have no effect on a larger board`() {
    var scene = TicTacToeSceneTests.scene(.large)
    #expect(!scene.press(.character("1"), in: .usual).isUsed)
  }

  @Test(arguments: [
    (GameInfo.ticTacToe, Size.usual, BoardLayout.Scale.large),
    (.ticTacToe, Size(rows: 12, columns: 60), .medium),
    (.ticTacToe, Size(rows: 11, columns: 50), .medium), (.large, .usual, .large),
    (.large, Size(rows: 14, columns: 60), .medium), (.large, Size(rows: 11, columns: 60), .small),
  ])
  func `a click places a mark on the cell under it, at every scale`(
    game: GameInfo, size: Size, scale: BoardLayout.Scale
  ) {
    let scene = TicTacToeSceneTests.scene(game)
    let layout = scene.layout(in: size)
    #expect(layout.scale == scale)
    var clicks: [Cell: Int] = [:]
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        var scene = scene
        let pressed = scene.press(.press(Position(row: row, column: column)), in: size)
        #expect(pressed.isUsed)
        guard case .place(let cell) = pressed.action else { continue }
        clicks[cell, default: 0] += 1
        // The cursor is drawn on the clicked cell.
        #expect(scene.frame(size)[row, column].style.isReversed)
      }
    }
    #expect(clicks.count == game.shape.cellCount)
    #expect(clicks.values.allSatisfy { $0 == scale.cell.rows * scale.cell.columns })
  }

  @Test func `resigning and leaving need a confirmation, which any other key refuses`() {
    var scene = TicTacToeSceneTests.middle()
    for (key, action) in [
      (Key.character("r"), TicTacToeScene.Action.resign), (.character("q"), .leave),
      (.escape, .leave),
    ] {
      for no in [Key.character("n"), .enter, .escape, .character("5"), key] {
        #expect(scene.press(key, in: .usual).action == nil)
        #expect(scene.question != nil)
        #expect(scene.press(no, in: .usual).action == nil)
        #expect(scene.question == nil)
      }
      _ = scene.press(key, in: .usual)
      #expect(scene.press(.character("y"), in: .usual).action == action)
      #expect(scene.question == nil)
    }
  }

  @Test func `a question stays open while the opponent moves`() {
    var scene = TicTacToeSceneTests.middle()
    _ = scene.press(.character("q"), in: .usual)
    TicTacToeSceneTests.play(7, in: &scene)
    #expect(scene.question == .leave)
  }

  @Test func `the reason for a refused move is shown until the next key or move`() {
    var scene = TicTacToeSceneTests.middle()
    scene.message = "No."
    _ = scene.press(.up, in: .usual)
    #expect(scene.message == nil)
    scene.message = "No."
    TicTacToeSceneTests.play(7, in: &scene)
    #expect(scene.message == nil)
  }

  @Test func `a spectator can only stop watching`() {
    var scene = TicTacToeSceneTests.scene(seat: .none)
    for key in [Key.enter, .character("5"), .character("r"), .up] {
      let pressed = scene.press(key, in: .usual)
      #expect(pressed.action == nil)
      #expect(!pressed.isUsed)
    }
    #expect(scene.press(.character("q"), in: .usual).action == .leave)
    #expect(scene.press(.escape, in: .usual).action == .leave)
  }

  @Test func `moves go to the listener, and leaving to the root`() {
    let setup = GameSetup(
      series: TicTacToeSceneTests.series, seat: .one(.x), board: Board(.ticTacToe))
    let view = TicTacToeView(screen: Screen(), game: .ticTacToe, setup: setup)
    let listener = TicTacToePresentableListenerMock()
    view.listener = listener
    #expect(view.press(.character("1")) == .used)
    view.refuse(.cellTaken, to: .x)
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "already has a mark") != nil)
    view.type("ry")
    #expect(view.press(.character("?")) == .unused)
    #expect(view.press(.character("q")) == .used)
    #expect(view.press(.character("y")) == .leaveGame)
    #expect(listener.calls == ["0 0", "resign"])
  }
}

private final class TicTacToePresentableListenerMock: TicTacToePresentableListener {
  private(set) var calls: [String] = []

  func place(at cell: Cell, by mark: Mark?) {
    calls.append("\(cell.row) \(cell.column)" + (mark == nil ? "" : " by a mark"))
  }

  func resign(by mark: Mark?) { calls.append("resign" + (mark == nil ? "" : " by a mark")) }

  @Test func `in connect the cursor moves along the columns, on their open cells`() {
    var scene = TicTacToeSceneTests.scene(.connect)
    #expect(scene.cursor == Cell(row: 5, column: 3))
    TicTacToeSceneTests.play(38, in: &scene)
    #expect(scene.cursor == Cell(row: 4, column: 3))
    for (key, cell) in [
      (Key.left, Cell(row: 5, column: 2)), (.right, Cell(row: 4, column: 3)),
      (.up, Cell(row: 4, column: 3)), (.down, Cell(row: 4, column: 3)),
      (.home, Cell(row: 5, column: 0)), (.end, Cell(row: 5, column: 6)),
    ] {
      _ = scene.press(key, in: .usual)
      #expect(scene.cursor == cell)
    }
    #expect(scene.press(.enter, in: .usual).action == .place(Cell(row: 5, column: 6)))
  }

  @Test func `in connect a digit or a click drops a mark in its column`() {
    var scene = TicTacToeSceneTests.scene(.connect)
    TicTacToeSceneTests.play(38, in: &scene)
    let dropped = scene.press(.character("4"), in: .usual).action
    #expect(dropped == .place(Cell(row: 4, column: 3)))
    #expect(!scene.press(.character("8"), in: .usual).isUsed)
    let top = scene.layout(in: .usual).corner(of: Cell(row: 0, column: 1))
    #expect(scene.press(.press(top), in: .usual).action == .place(Cell(row: 5, column: 1)))
  }
}
