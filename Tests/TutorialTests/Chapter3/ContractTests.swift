import RIBs
import Testing

@testable import Tutorial3

/// What the parent and the view of a tic-tac-toe can rely on, wherever its rules are.
@Suite struct ContractTests {
  @Test(arguments: GameFixture.Kind.allCases)
  func `a game begins by showing an empty board`(kind: GameFixture.Kind) {
    let fixture = GameFixture(kind)
    #expect(fixture.calls == [.show(Board())])
  }

  @Test(arguments: GameFixture.Kind.allCases)
  func `a move shows the new board once`(kind: GameFixture.Kind) throws {
    let fixture = GameFixture(kind)
    fixture.place(2, 3)
    var board = Board()
    try board.place(at: Cell(row: 2, column: 3))
    #expect(fixture.calls == [.show(Board()), .show(board)])
  }

  @Test(arguments: GameFixture.Kind.allCases)
  func `a refused move changes nothing`(kind: GameFixture.Kind) {
    let fixture = GameFixture(kind)
    fixture.place(1, 1)
    let calls = fixture.calls
    fixture.place(1, 1)
    fixture.place(4, 1)
    #expect(fixture.calls == calls + [.refuse(.taken), .refuse(.outOfBoard)])
    fixture.place(1, 2)
    #expect(fixture.calls.count == calls.count + 3)
  }

  @Test(arguments: GameFixture.Kind.allCases)
  func `a win is the last board, then the announcement, then gameDidEnd`(kind: GameFixture.Kind) {
    let fixture = GameFixture(kind)
    fixture.play([(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)])
    #expect(fixture.calls.count == 8)
    #expect(fixture.calls.suffix(2) == [.announce(.won(.x)), .gameDidEnd(.won(.x))])
    #expect(fixture.isDetached)
  }

  @Test(arguments: GameFixture.Kind.allCases)
  func `a full board is a draw`(kind: GameFixture.Kind) {
    let fixture = GameFixture(kind)
    fixture.play([(1, 1), (2, 2), (3, 3), (1, 2), (3, 2), (3, 1), (1, 3), (2, 3), (2, 1)])
    #expect(fixture.calls.suffix(2) == [.announce(.draw), .gameDidEnd(.draw)])
  }

  @Test(arguments: GameFixture.Kind.allCases)
  func `the next game begins with an empty board`(kind: GameFixture.Kind) {
    let fixture = GameFixture(kind)
    fixture.place(1, 1)
    fixture.detach()
    fixture.attach()
    #expect(fixture.calls.last == .show(Board()))
  }
}
