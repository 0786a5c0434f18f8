import Shared
import TestSupport
import Testing

@testable import Client

/// The client against the real server, with its connection cut at every place of a game.
@Suite struct CutTests {
  private let line = [0, 1, 2].map { Cell(row: 0, column: $0) }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `wherever it is cut, both play the game to its end and see the same`(_ seed: UInt64) {
    var steps = 0
    var cuts = 0
    // Until a whole game passes before the cut.
    while steps < 2_000 {
      let table = ReturnTable(seed: seed)
      table.cut(after: steps)
      for index in [0, 3, 1, 4, 2] { table.place(index) }
      table.settle()
      guard table.hasCut else { break }
      cuts += 1
      table.clock.advance(by: .milliseconds(300))
      table.settle()
      let outcome = Outcome(winner: .x, reason: .line, line: line)
      for person in table.people {
        #expect(person.parent.outcomes == [outcome], "seed \(seed), cut after \(steps)")
        #expect(person.farewells.isEmpty)
      }
      steps += 1
    }
    #expect(cuts > 20)
  }

  @Test func `who is cut off again and again plays on all the same`() {
    let table = ReturnTable(seed: 9)
    for index in [0, 3, 1, 4, 2] {
      table.cut(after: 0)
      table.settle()
      table.clock.advance(by: .milliseconds(300))
      table.settle()
      table.place(index)
    }
    for person in table.people { #expect(person.parent.outcomes.count == 1) }
  }

  @Test func `between games, too, and the next game begins`() {
    let table = ReturnTable(seed: 9)
    for index in [0, 3, 1, 4, 2] { table.place(index) }
    table.people[1].gameService.lobby.start(.ticTacToe, against: .anyone)
    table.settle()
    table.cut(after: 0)
    table.settle()
    table.clock.advance(by: .milliseconds(300))
    table.settle()
    table.people[0].gameService.lobby.start(.ticTacToe, against: .anyone)
    table.settle()
    for person in table.people { #expect(person.parent.setups.count == 2) }
  }

  @Test func `who does not come back in time has lost, and the other is told`() {
    let table = ReturnTable(seed: 9)
    table.place(0)
    table.people[0].stop()
    table.settle()
    for _ in 0..<60 {
      table.clock.advance(by: .seconds(1))
      table.settle()
    }
    #expect(table.people[1].parent.outcomes == [Outcome(winner: .o, reason: .abandoned)])
  }
}
