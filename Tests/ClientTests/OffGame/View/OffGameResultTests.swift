import Shared
import TestSupport
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
    for size in Self.sizes + [GameLayout.minimumSize, Size(rows: 24, columns: 40)] {
      let frame = scene.frame(size)
      for text in ["You win", "ext game", "Leave the match", "accepts", "hello 3"] {
        #expect(
          frame.position(of: text) != nil,
          "\(text) in \(size):\n\(frame.lines.joined(separator: "\n"))")
      }
      // The board stands where it stood in the game, unless it leaves too few rows.
      let board = GameLayout(game, in: size).board
      guard frame.position(of: "┌") != nil else {
        #expect(!size.holds(.usual))
        continue
      }
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

  @Test(arguments: [
    (Outcome.Reason.timeout, "Your time is over: bob wins.", "bob has run out of time: you win."),
    (.resigned, "You resigned: bob wins.", "bob resigns: you win."),
    (.abandoned, "You did not reconnect: bob wins.", "bob did not reconnect: you win."),
    (.left, "You left: bob wins.", "bob has left: you win."),
    (.line, "bob wins.", "You win."),
  ])
  func `sentences about oneself say you`(reason: Outcome.Reason, lost: String, won: String) {
    let names = PerMark<Player>(x: .person("ann"), o: .person("bob"))
    #expect(Outcome(winner: .o, reason: reason).sentence(for: .x, players: names) == lost)
    #expect(Outcome(winner: .x, reason: reason).sentence(for: .x, players: names) == won)
    #expect(
      Outcome(winner: .x, reason: reason).sentence(players: names).hasSuffix("ann wins."))
  }

  @Test func `the board does not come back once the person has gone on`() {
    var scene = Self.scene(.ticTacToe, winner: .x, reason: .left)
    scene.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    _ = scene.press(.down, in: .usual)
    for status in [LobbyStatus.waiting(opponent: nil), .lobby, .waiting(opponent: "eve")] {
      scene.show(status, since: .zero, offers: [GameLobbyMock.ticTacToe])
      #expect(scene.shownGame == nil)
    }
  }

  @Test(arguments: GameInfo.all)
  func `the list of players keeps its rows beside or without a board`(_ game: GameInfo) {
    var scene = Self.scene(game, winner: .x, reason: .left)
    scene.players = PlayerList(
      (1...30).map { PlayerSummary(name: "player\($0)", place: .lobby, game: nil) })
    scene.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    scene.hasNews = true
    for number in 1...3 { scene.say("A notice that takes more than one line, no. \(number)") }
    for size in Self.sizes + [GameLayout.minimumSize, Size(rows: 24, columns: 40)] {
      #expect(scene.listRows(in: size) >= 3, "\(size)")
    }
  }

  @Test func `of a notice that is too long the beginning is shown`() {
    var scene = Self.scene(.ticTacToe, winner: .x, reason: .left)
    scene.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    scene.say("This is new." + String(repeating: " More of it.", count: 20))
    var frame = Frame(rows: 22, columns: 40)
    scene.draw(into: &frame, now: .zero)
    #expect(frame.lines.contains { $0.contains("This is new.") })
    #expect(frame.lines.contains { $0.contains("…") })
  }

  @Test func `n asks for the next game, and only between games`() {
    var scene = Self.scene(.ticTacToe, winner: .x, reason: .line)
    #expect(scene.press(.character("n"), in: .usual).action == .start(.anyone))
    #expect(scene.press(.character("n"), in: .usual).action == nil)
    scene.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    #expect(scene.press(.character("n"), in: .usual) == (nil, false))
  }

  @Test func `the first row is selected after half a second, unless the person waits`() {
    let timers = ManualTimers()
    let outcome = Outcome(winner: .x, reason: .line)
    let view = OffGameView(
      screen: Screen(timers: timers), names: ["ann"],
      lastGame: LastGame(
        game: .ticTacToe, players: OffGameSceneTests.series.players, seat: .one(.x),
        board: Board(.ticTacToe), outcome: outcome))
    let listener = OffGamePresentableListenerMock()
    view.listener = listener
    view.show(.betweenGames(outcome, hasAsked: false), since: nil, offers: [])
    func shown() -> Frame {
      var frame = Frame(size: .usual)
      view.draw(into: &frame)
      return frame
    }
    #expect(shown().position(of: "▸ Play the next game") == nil)
    timers.advance(by: Screen.holdTime)
    #expect(shown().position(of: "▸ Play the next game") != nil)
    view.show(.betweenGames(outcome, hasAsked: true), since: .zero, offers: [])
    timers.advance(by: .seconds(1))
    _ = view.press(.enter)
    #expect(listener.calls.isEmpty)
    view.show(.betweenGames(outcome, hasAsked: false), since: nil, offers: [])
    timers.advance(by: Screen.holdTime)
    _ = view.press(.enter)
    #expect(listener.calls == ["start anyone"])
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
