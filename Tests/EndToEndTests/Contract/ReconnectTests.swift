import Shared
import TestSupport
import Testing

@testable import Client

/// The client plays against the real server, and its connection is cut at every point of a game.
@Suite struct ReconnectTests {
  private let line = [0, 1, 2].map { Cell(row: 0, column: $0) }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `both players finish the game and see the same, wherever a connection is cut`(_ seed: UInt64)
  {
    var steps = 0
    var cuts = 0
    // Stops once a whole game is over before the cut.
    while steps < 2_000 {
      let fixture = ReconnectFixture(seed: seed)
      fixture.cut(after: steps)
      for index in [0, 3, 1, 4, 2] { fixture.place(index) }
      fixture.settle()
      guard fixture.hasCut else { break }
      cuts += 1
      fixture.clock.advance(by: .milliseconds(300))
      fixture.settle()
      let outcome = Outcome(winner: .x, reason: .line, line: line)
      for client in fixture.clients {
        #expect(client.parent.outcomes == [outcome], "seed \(seed), cut after \(steps)")
        #expect(client.farewells.isEmpty)
      }
      steps += 1
    }
    #expect(cuts > 20)
  }

  @Test func `a client whose connection is cut before each move finishes the game`() {
    let fixture = ReconnectFixture(seed: 9)
    for index in [0, 3, 1, 4, 2] {
      fixture.cut(after: 0)
      fixture.settle()
      fixture.clock.advance(by: .milliseconds(300))
      fixture.settle()
      fixture.place(index)
    }
    for client in fixture.clients { #expect(client.parent.outcomes.count == 1) }
  }

  @Test func `a rematch begins after a connection was cut between games`() {
    let fixture = ReconnectFixture(seed: 9)
    for index in [0, 3, 1, 4, 2] { fixture.place(index) }
    fixture.clients[1].gameService.lobby.start(.ticTacToe, against: .anyone, level: nil)
    fixture.settle()
    fixture.cut(after: 0)
    fixture.settle()
    fixture.clock.advance(by: .milliseconds(300))
    fixture.settle()
    fixture.clients[0].gameService.lobby.start(.ticTacToe, against: .anyone, level: nil)
    fixture.settle()
    for client in fixture.clients { #expect(client.parent.setups.count == 2) }
  }

  @Test func `a player who does not reconnect in time loses, and the opponent is informed`() {
    let fixture = ReconnectFixture(seed: 9)
    fixture.place(0)
    fixture.clients[0].stop()
    fixture.settle()
    for _ in 0..<60 {
      fixture.clock.advance(by: .seconds(1))
      fixture.settle()
    }
    #expect(fixture.clients[1].parent.outcomes == [Outcome(winner: .o, reason: .abandoned)])
  }
}
