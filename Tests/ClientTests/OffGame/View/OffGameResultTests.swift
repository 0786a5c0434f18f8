import Shared
import Testing

@testable import Client

/// The end of a game on the full screen.
@Suite struct OffGameResultTests {
  private static let sizes = [
    Size.usual, Size(rows: 40, columns: 120), Size(rows: 16, columns: 60),
    Size(rows: 12, columns: 200), Size(rows: 60, columns: 59),
  ]

  @Test(arguments: GameInfo.all)
  func `the result, the board and both choices fit wherever the game could be played`(
    game: GameInfo
  ) {
    var scene = Self.scene(game, winner: .x, reason: .resigned)
    scene.invitations = [Invitation(from: "bob", game: game.id)]
    for number in 1...3 { scene.say("\"bob\": hello \(number)") }
    let smallest = GameLayout.minimumSize(for: game)
    #expect(scene.minimumSize == smallest)
    for size in Self.sizes.filter({ $0.holds(smallest) }) + [smallest] {
      let frame = scene.frame(size)
      for text in ["You win", "Play the next game", "Leave the match", "accepts", "hello 3"] {
        #expect(
          frame.position(of: text) != nil,
          "\(text) in \(size):\n\(frame.lines.joined(separator: "\n"))")
      }
      // The board stands where it stood in the game.
      let board = GameLayout(game, in: size).board
      #expect(frame[board.origin.row, board.origin.column].character == "┌")
      let last = Position(
        row: board.origin.row + board.size.rows - 1,
        column: board.origin.column + board.size.columns - 1)
      #expect(frame[last.row, last.column].character == "┘")
    }
  }

  @Test func `the title names the result for the person who reads it`() {
    let names = PerMark<Player>(x: .person("ann"), o: .person("bob"))
    for (winner, own, title) in [
      (Mark.x, Mark.x, "You win"), (.o, .x, "You lost"), (nil, .x, "Draw"), (nil, nil, "Draw"),
      (.o, nil, "bob wins"),
    ] as [(Mark?, Mark?, String)] {
      let outcome = Outcome(winner: winner, reason: winner == nil ? .full : .line)
      #expect(outcome.title(for: own, players: names) == title)
    }
  }

  @Test func `a spectator sees the winner's name`() throws {
    var scene = Self.scene(.ticTacToe, winner: .o, reason: .resigned, seat: .none)
    let outcome = try #require(scene.lastGame).outcome
    scene.show(.watching(outcome), since: nil, offers: [])
    #expect(scene.frame().position(of: "bob wins") != nil)
    try expectGolden(scene.frame(), "between-games-watched")
  }

  @Test func `after the match the last board stays until a key is pressed`() throws {
    var scene = Self.scene(.ticTacToe, winner: .x, reason: .left)
    scene.players = PlayerList([PlayerSummary(name: "eve", place: .lobby, game: nil)])
    scene.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    try expectGolden(scene.frame(), "lobby-after-game")
    #expect(!scene.press(.character("?"), in: .usual).isUsed)
    #expect(scene.shownGame != nil)
    _ = scene.press(.down, in: .usual)
    #expect(scene.shownGame == nil)
    #expect(scene.frame().position(of: "You win") == nil)
    #expect(scene.frame().position(of: "eve") != nil)
  }

  private static func scene(
    _ game: GameInfo, winner: Mark, reason: Outcome.Reason, seat: Seat = .one(.x)
  ) -> OffGameScene {
    let outcome = Outcome(winner: winner, reason: reason)
    var scene = OffGameScene(
      names: ["ann"],
      lastGame: LastGame(
        game: game, players: OffGameSceneTests.series.players, seat: seat, board: game.board,
        outcome: outcome))
    scene.series = OffGameSceneTests.series
    scene.show(.betweenGames(outcome, hasAsked: false), since: nil, offers: [])
    return scene
  }
}
