import Shared
import Testing

@testable import Client

/// Golden images of the lobby on the full screen.
@Suite struct OffGameSceneTests {
  @Test func `a lobby without other players`() throws {
    var scene = Self.scene()
    scene.players = PlayerList([PlayerSummary(name: "ann", place: .lobby, game: nil)])
    try expectGolden(scene.frame(), "lobby-empty")
  }

  @Test func `a lobby with players and invitations`() throws {
    let scene = Self.lobbyWithPlayers()
    try expectGolden(scene.frame(), "lobby")
    try expectGolden(scene.frame(GameLayout.minimumSize), "lobby-small")
    try expectGolden(scene.frame(Size(rows: 40, columns: 120)), "lobby-large")
  }

  @Test func `a long list scrolls with the selection`() throws {
    var scene = Self.scene()
    scene.players = PlayerList(
      (1...40).map { PlayerSummary(name: "player\($0)", place: .lobby, game: nil) }, more: 60)
    _ = scene.press(.end, in: .usual)
    for _ in 1...9 { _ = scene.press(.up, in: .usual) }
    try expectGolden(scene.frame(), "lobby-scrolled")
  }

  @Test func `a wait for a friend shows what to send`() throws {
    var scene = Self.scene(offers: [GameLobbyMock.ticTacToe, GameLobbyMock.large])
    let friend = FriendCode(
      code: "k7w2mx", address: ServerAddress(host: "play.example.org", port: 7_777))
    scene.show(.waiting(opponent: nil, friend: friend), since: .zero, offers: scene.offers)
    try expectGolden(scene.frame(), "waiting-friend")
    let small = scene.frame(GameLayout.minimumSize)
    try expectGolden(small, "waiting-friend-small")
    let text = small.lines.map(\.trimmed).joined()
    #expect(text.contains("tictactoe://play.example.org/join/k7w2mx"))
  }

  @Test func `the code of a friend is typed above the list`() throws {
    var scene = Self.lobbyWithPlayers()
    _ = scene.press(.character("c"), in: .usual)
    for character in "k7w2" { _ = scene.press(.character(character), in: .usual) }
    try expectGolden(scene.frame(), "lobby-code")
  }

  @Test func `a row shows everything if there is room, and otherwise most of the name`() {
    var scene = Self.scene(offers: GameInfo.all.map { Offer(game: $0, isPlayable: true) })
    let name = "Bartholomew the Patient."
    scene.invitations = [Invitation(from: name, game: "ultimate", end: .seconds(120))]
    scene.players = PlayerList([
      PlayerSummary(name: name, place: .playing, game: "four", rating: 1500)
    ])
    scene.matches = MatchList([
      MatchSummary(
        match: "m", game: "gomoku", players: PerMark(x: name, o: name), isRunning: false,
        score: Score(x: 1, o: 2))
    ])
    let wide = scene.frame(Size(rows: 24, columns: 100))
    for text in [
      name + " invites you: Ultimate", "2:00 left", name + " 1500", "playing Four in a Row",
      "\(name) and \(name)", "Gomoku, between games, 1–2",
    ] {
      #expect(wide.position(of: text) != nil, "\(text)")
    }
    let narrow = scene.frame(Size(rows: 24, columns: 40))
    for text in [
      "Bartholomew the…: Ul", "2:00 left", "Bartholomew the Pat…", "Gomoku, 1–2",
    ] {
      let lines = narrow.lines.joined(separator: "\n")
      #expect(narrow.position(of: text) != nil, "\(text) in:\n\(lines)")
    }
    #expect(wide.position(of: "ago") == nil)
  }

  @Test func `invitations show the time that is left, or else their age`() throws {
    var scene = Self.scene(offers: GameInfo.all.map { Offer(game: $0, isPlayable: true) })
    scene.invitations = [
      Invitation(from: "bob", game: "gomoku", since: .seconds(40), end: .seconds(160)),
      Invitation(from: "carol", game: "ultimate", since: .seconds(90), end: .seconds(210)),
      Invitation(from: "dave", game: "connect", since: .seconds(95)),
    ]
    let frame = scene.frame(now: .seconds(100))
    try expectGolden(frame, "lobby-invitations")
    #expect(frame.hasClock)
  }

  @Test func `a lobby with several games`() throws {
    var scene = Self.scene(offers: [GameLobbyMock.ticTacToe, GameLobbyMock.large])
    scene.invitations = [Invitation(from: "김민준", game: "large")]
    scene.players = PlayerList([PlayerSummary(name: "김민준", place: .waiting, game: "large")])
    for key in [Key.character("g"), .down, .enter] { _ = scene.press(key, in: .usual) }
    scene.say("The next game is Large.")
    try expectGolden(scene.frame(), "lobby-games")
  }

  @Test func `the games are a list of their own`() throws {
    let games: [GameInfo] = [.ticTacToe, .four, .gomoku, .connect, .misere, .ultimate]
    var scene = Self.scene(
      offers: games.map { Offer(game: $0, isPlayable: true) } + [GameLobbyMock.unplayable])
    #expect(scene.press(.character("g"), in: .usual).action == nil)
    #expect(scene.selection == .game("tictactoe"))
    for _ in 1...2 { _ = scene.press(.down, in: .usual) }
    try expectGolden(scene.frame(), "lobby-choose")
    #expect(scene.press(.enter, in: .usual).action == .choose(gameID: "gomoku"))
    #expect(!scene.isChoosingGame)
    // Another Enter starts nothing yet.
    #expect(scene.press(.enter, in: .usual).action == nil)
    for key in [Key.character("g"), .escape] {
      #expect(scene.press(key, in: .usual).action == nil)
    }
    #expect(!scene.isChoosingGame && scene.chosenGame == .gomoku)
  }

  @Test func `the list shows all games of this project`() throws {
    var scene = Self.scene(offers: GameInfo.all.map { Offer(game: $0, isPlayable: true) })
    for key in [Key.character("g"), .down, .down] { _ = scene.press(key, in: .usual) }
    try expectGolden(scene.frame(), "lobby-all-games")
  }

  @Test func `a request is shown at once`() throws {
    var scene = Self.lobbyWithPlayers()
    scene.request = .player("이서연")
    let frame = scene.frame()
    try expectGolden(frame, "lobby-request")
    #expect(frame.isAnimated)
  }

  @Test func `a wait shows its duration and the other players`() throws {
    var scene = Self.lobbyWithPlayers()
    scene.show(.waiting(opponent: "이서연"), since: .seconds(10), offers: scene.offers)
    let frame = scene.frame(now: .seconds(75))
    try expectGolden(frame, "waiting")
    #expect(frame.isAnimated)
  }

  @Test func `the screen between games shows the last board and the score`() throws {
    let scene = Self.betweenGames()
    try expectGolden(scene.frame(), "between-games")
    try expectGolden(scene.frame(GameLayout.minimumSize), "between-games-small")
    try expectGolden(scene.frame(Size(rows: 40, columns: 120)), "between-games-large")
  }

  @Test func `requests for the next game are shown, the opponent's and the player's own`() throws {
    var scene = Self.betweenGames()
    scene.invitations = [Invitation(from: "bob", game: "tictactoe")]
    scene.say("bob wants to play the next game.")
    try expectGolden(scene.frame(), "between-games-invited")
    let outcome = try #require(scene.lastGame).outcome
    scene.show(
      .betweenGames(outcome, hasAsked: true), since: .seconds(1), offers: scene.offers)
    try expectGolden(scene.frame(now: .seconds(4)), "between-games-asked")
  }

  @Test func `the lobby of two players at one keyboard`() throws {
    var scene = OffGameScene(names: ["Ann", "김철수"])
    scene.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    try expectGolden(scene.frame(), "local")
  }

  @Test func `the screen between games with the bot shows the player's mark`() {
    let players = PerMark<Player>(x: .bot, o: .person("Ann"))
    let outcome = Outcome(winner: nil, reason: .full)
    var scene = OffGameScene(
      names: ["Ann", "Bob"],
      lastGame: LastGame(
        game: .ticTacToe, players: players, seat: .both, board: Board(.ticTacToe),
        outcome: outcome))
    scene.series = Series(players, score: Score(draws: 1))
    scene.show(.betweenGames(outcome, hasAsked: false), since: nil, offers: [])
    #expect(scene.frame().position(of: "O Ann (you)") != nil)
  }

  @Test func `a large board fits beside the list`() throws {
    let shape = try #require(BoardShape(rows: 19, columns: 19, inARow: 5))
    let board = try Self.row(of: 5, on: shape)
    let outcome = try #require(board.outcome)
    var scene = OffGameScene(
      names: ["ann"],
      lastGame: LastGame(
        game: GameInfo(id: "large", name: "Large", shape: shape), players: Self.series.players,
        seat: .one(.x), board: board, outcome: outcome))
    scene.series = Self.series
    scene.show(.betweenGames(outcome, hasAsked: false), since: nil, offers: [])
    scene.say("bob wants to play the next game, and takes more than a line to say so.")
    try expectGolden(scene.frame(), "between-games-19x19")
  }

  static let series = Series(
    PerMark(x: .person("ann"), o: .person("bob")), score: Score(x: 2, o: 1, draws: 1))

  static func scene(offers: [Offer] = [GameLobbyMock.ticTacToe]) -> OffGameScene {
    var scene = OffGameScene(names: ["ann"])
    scene.show(.lobby, since: nil, offers: offers)
    return scene
  }

  /// Six other players, two of whom have sent an invitation.
  static func lobbyWithPlayers() -> OffGameScene {
    var scene = scene()
    scene.players = PlayerList([
      PlayerSummary(name: "ann", place: .lobby, game: nil),
      PlayerSummary(name: "bob", place: .playing, game: "tictactoe"),
      PlayerSummary(name: "김민준", place: .waiting, game: "tictactoe"),
      PlayerSummary(name: "이서연", place: .lobby, game: nil),
      PlayerSummary(name: "😀 Zoë e\u{301}", place: .waiting, game: "tictactoe"),
      PlayerSummary(name: "👨‍👩‍👧‍👦 family", place: .watching, game: nil),
      PlayerSummary(name: "a name of twenty-four ch", place: .lobby, game: nil),
    ])
    scene.invitations = [
      Invitation(from: "김민준", game: "tictactoe"),
      Invitation(from: "😀 Zoë e\u{301}", game: "tictactoe"),
    ]
    scene.say("carol has left the match.")
    scene.say("김민준 has withdrawn the invitation.")
    scene.say("bob has gone.")
    _ = scene.press(.down, in: .usual)
    return scene
  }

  static func betweenGames() -> OffGameScene {
    let board = try? Self.row(of: 3, on: .ticTacToe)
    let outcome = board?.outcome ?? Outcome(winner: nil, reason: .full)
    var scene = OffGameScene(
      names: ["ann"],
      lastGame: LastGame(
        game: .ticTacToe, players: series.players, seat: .one(.x),
        board: board ?? Board(.ticTacToe),
        outcome: outcome))
    scene.series = series
    scene.show(
      .betweenGames(outcome, hasAsked: false), since: nil, offers: [GameLobbyMock.ticTacToe])
    return scene
  }

  /// A board with `count` marks of X in its first row.
  private static func row(of count: Int, on shape: BoardShape) throws -> Board {
    var board = Board(shape)
    for column in 0..<count {
      _ = try board.place(.x, at: Cell(row: 0, column: column))
      guard board.turn != nil else { break }
      _ = try board.place(.o, at: Cell(row: 1, column: column))
    }
    return board
  }
}
