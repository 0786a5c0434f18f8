import Foundation
import Testing

/// Games at the real programs, on full screens.
@Suite(.serialized) struct ScreenPlayTests {
  @Test func `two people play a series with keys and mouse`() throws {
    let server = try RunningServer(["--turn", "0"])
    let ann = try server.screen()
    try ann.wait(forScreen: "form", once: "Your name")
    try ann.type("ann\(Keys.enter)")
    try ann.wait(for: "Nobody else is here now.")
    try ann.type(Keys.down + Keys.enter)
    try ann.wait(for: "Waiting for anyone …")
    let bob = try server.screen(["--name", "bob"])
    try bob.wait(forScreen: "lobby", once: "waiting for Tic Tac Toe")
    try bob.type("jjjj\(Keys.down)\(Keys.enter)")

    // The first game uses every way to place a mark.
    try ann.wait(for: "Your turn: place X")
    // Keys count once the screen shows them.
    try ann.wait(for: "Enter 1–9 place")
    try ann.type("5")
    try bob.wait(for: "Your turn: place O")
    try bob.type("\(Keys.left)\(Keys.up)\(Keys.enter)")
    try ann.wait(forMoveOn: 1)
    try ann.type("lk ")
    try bob.wait(forMoveOn: 3)
    try bob.type("5")
    try bob.wait(forScreen: "refused", once: "already has a mark")
    try bob.click(onCell: 2)
    try ann.wait(forMoveOn: 2)
    try ann.click(onCell: 7)
    try ann.wait(forScreen: "won", once: "You win")

    // The second game is resigned.
    try ann.type(Keys.enter + Keys.enter)
    try bob.wait(for: "ann wants another game")
    try bob.wait(for: "q leave")
    try bob.click(on: "Play the next game")
    try bob.wait(for: "Your turn: place X")
    try bob.type("9")
    try ann.wait(forMoveOn: 9)
    try ann.wait(for: "Enter 1–9 place")
    try ann.type("r")
    try ann.wait(for: "Resign this game?")
    try ann.wait(for: "y yes")
    try ann.type("n")
    try ann.wait(until: "no question") { !$0.contains { $0.contains("Resign this game?") } }
    try ann.type("r")
    try ann.wait(for: "y yes")
    try ann.type("y")
    try ann.wait(for: "You resigned: bob wins.")
    try bob.wait(for: "ann resigns: you win.")
    try bob.wait(for: "q leave")
    try bob.type("q")
    try ann.wait(for: "Whom do you want to play?")
    try bob.wait(for: "Whom do you want to play?")
    try ann.wait(for: "q quit")
    try ann.type("q")
    try ann.wait(for: "End the program?")
    try ann.type("y")
    try bob.type(Keys.control("c"))
    try ann.expectEnd(0)
    try bob.expectEnd(0)
  }

  @Test func `two friends meet by a code, and one declines the next game`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--game", "gomoku"])
    try ann.wait(for: "Whom do you want to play?")
    try ann.type("f")
    try ann.wait(for: "Send your friend this code: ")
    let line = try #require(ann.lines.first { $0.contains("this code: ") })
    let code = try #require(line.split(separator: " ").last)
    let bob = try server.screen(["--name", "bob", "--join", code.uppercased()])
    try bob.wait(for: "ann to move")
    try ann.wait(for: "Your turn: place X")
    // Keys count once the screen shows them.
    try bob.wait(for: "r resign")
    try bob.type("r")
    try bob.wait(for: "y yes")
    try bob.type("y")
    try ann.wait(for: "You win")
    try ann.wait(for: "q leave")
    try ann.type(Keys.enter + Keys.enter)
    try bob.wait(for: "d declines")
    try bob.wait(for: "q leave")
    try bob.type("d")
    try ann.wait(for: "bob does not want another game.")
    for client in [ann, bob] { try client.type(Keys.control("c")) }
    for client in [ann, bob] { try client.expectEnd(0) }
  }

  @Test func `an invited player accepts with one key`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"])
    let bob = try server.screen(["--name", "bob"])
    try ann.click(on: "bob") { $0.hasSuffix("free") }
    try bob.wait(for: "invites you")
    try bob.type("a")
    try ann.wait(for: "Your turn: place X")
    try bob.wait(for: "ann to move")
  }

  @Test func `leaving a running game asks for confirmation`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann", "--start", "bot"])
    try ann.wait(for: "Your turn: place X")
    try ann.type("q")
    try ann.wait(for: "Leave")
    try ann.wait(for: "y yes")
    try ann.type("y")
    try ann.wait(for: "Whom do you want to play?")
    try ann.type("q")
    try ann.wait(for: "End the program?")
    try ann.type("y")
    try ann.expectEnd(0)
  }

  @Test func `two people play at one keyboard`() throws {
    let both = try ScreenClient(["--local"])
    try both.wait(for: "Player 1")
    try both.type("ann\(Keys.tab)bob\(Keys.enter)")
    try both.wait(for: "Play each other")
    try both.type(Keys.enter + Keys.enter)
    try both.wait(for: "ann: place X")
    try both.type("14253")
    try both.wait(for: "ann wins")
    try both.type(Keys.control("c"))
    try both.expectEnd(0)
  }
}

extension ScreenClient {
  /// Waits until the last move was made on a cell.
  func wait(forMoveOn number: Int) throws {
    try wait(until: "a move on \(number)") {
      $0.contains { $0.contains("Last") && $0.hasSuffix(" on \(number)") }
    }
  }

  /// Clicks on the digit of a free cell.
  func click(onCell number: Int) throws {
    try click(on: " \(number) ") { $0.contains("│") }
  }
}
