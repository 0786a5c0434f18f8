import Shared
import TestSupport
import Testing

@testable import Client

/// No key that was meant for another screen, and no pasted text, costs a game.
@Suite struct AccidentTests {
  private let timers = ManualTimers()
  private let screen: Screen
  private let view: RootView
  private let root = RootPresentableListenerMock()
  private let moves = MoveRecorder()
  private let lobbyListener = OffGamePresentableListenerMock()
  private let draw = Outcome(winner: nil, reason: .full)

  init() {
    screen = Screen(timers: timers)
    view = RootView(screen: screen)
    view.listener = root
    screen.show(view)
  }

  @Test func `pasted text is no command, and answers no question`() {
    showGame()
    pass(.seconds(1))
    paste("5r y\u{1B}q")
    #expect(moves.calls.isEmpty)
    press(.character("q"))
    paste("y")
    #expect(frame.position(of: "Leave, and lose this game?") != nil)
    #expect(root.calls.isEmpty)
    pass(.milliseconds(500))
    press(.character("n"), .character("?"))
    paste("x")
    #expect(frame.position(of: "Keys") != nil)
  }

  @Test(arguments: ["very good", "query", "every day", "very nice", "qy", "ry", "qqy"])
  func `words that are typed into a game end none`(word: String) {
    showGame()
    pass(.seconds(1))
    for letter in word {
      press(.character(letter))
      pass(.milliseconds(120))
    }
    #expect(moves.calls.isEmpty && root.calls.isEmpty)
    pass(.milliseconds(500))
    #expect(footer.contains("y yes"))
    press(.character("y"))
    #expect(moves.calls.count + root.calls.count == 1)
  }

  @Test func `pasted text goes to the chat message and to the form`() {
    showGame(inMatch: "zrg3")
    press(.character("t"))
    paste("hi there")
    #expect(frame.position(of: "Say: hi there") != nil)
    press(.enter)
    #expect(root.calls == ["say hi there"])
    let form = FormView(screen: screen)
    form.show(LoginForm(fields: [LoginField(.name, label: "Your name")]))
    view.show(form)
    pass(.seconds(1))
    paste("ann")
    #expect(frame.position(of: "ann") != nil)
  }

  @Test func `keys have no effect for half a second after the screen changed by itself`() {
    showLobby()
    showGame()
    #expect(!footer.contains("Enter"))
    press(.character("5"), .press(Position(row: 11, column: 20)), .character("q"), .character("y"))
    pass(.milliseconds(499))
    #expect(!footer.contains("Enter"))
    #expect(moves.calls.isEmpty)
    #expect(root.calls.isEmpty)
    pass(.milliseconds(1))
    #expect(footer.contains("Enter"))
    press(.character("5"))
    #expect(moves.calls == ["1 1"])
  }

  @Test func `a person who goes on typing types nothing into the next screen`() {
    showLobby()
    showGame()
    for key in "to 5 bob r y" {
      press(.character(key))
      pass(.milliseconds(450))
    }
    press(.press(Position(row: 11, column: 20)))
    #expect(moves.calls.isEmpty)
    #expect(!footer.contains("Enter"))
    pass(.milliseconds(499))
    #expect(screen.isHoldingKeys)
    pass(.milliseconds(1))
    press(.character("5"))
    #expect(moves.calls == ["1 1"])
    let form = FormView(screen: screen)
    form.show(LoginForm(fields: [LoginField(.name, label: "Your name")], alert: "Gone."))
    view.show(form)
    for key in "hello" {
      press(.character(key))
      pass(.milliseconds(300))
    }
    paste("hello")
    #expect(frame.position(of: "h") == frame.position(of: "hello"))
    #expect(frame.position(of: "hello") == nil)
    pass(.milliseconds(500))
    press(.character("z"))
    #expect(frame.position(of: "z") != nil)
  }

  @Test func `after a match the first entry waits until a person stops typing`() {
    showGame()
    let lobby = OffGameView(
      screen: screen, names: ["ann"],
      lastGame: LastGame(
        game: .ticTacToe, players: TicTacToeSceneTests.series.players, seat: .one(.x),
        board: Board(.ticTacToe), outcome: draw))
    lobby.listener = lobbyListener
    lobby.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    view.show(lobby)
    for _ in 0..<5 {
      press(.enter)
      pass(.milliseconds(400))
    }
    #expect(frame.position(of: "▸ Play the next game") == nil)
    pass(.milliseconds(100))
    #expect(frame.position(of: "▸ Play the next game") != nil)
    #expect(lobbyListener.calls.isEmpty)
    press(.enter)
    #expect(lobbyListener.calls == ["start anyone"])
  }

  @Test func `the person's own keys change the screen without a pause`() {
    let lobby = showLobby()
    press(.down, .enter)
    #expect(lobbyListener.calls == ["start anyone"])
    showGame()
    press(.character("5"))
    #expect(moves.calls == ["1 1"])
    // A wait that takes longer is no longer that key's doing.
    view.show(lobby)
    press(.enter)
    lobby.show(.waiting(opponent: nil), since: .zero, offers: [])
    showGame()
    press(.character("6"))
    #expect(moves.calls == ["1 1"])
  }

  @Test func `when the opponent leaves between games, q does not end the program`() {
    let lobby = showLobby()
    lobby.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    pass(.seconds(1))
    lobby.show(.lobby, since: nil, offers: [])
    press(.character("q"))
    #expect(root.calls.isEmpty)
    #expect(frame.position(of: "End the program?") == nil)
    pass(.milliseconds(500))
    press(.character("q"))
    #expect(frame.position(of: "End the program? (y/n)") != nil)
    press(.enter)
    #expect(root.calls.isEmpty)
    press(.character("q"), .character("y"))
    #expect(root.calls == ["quit"])
  }

  @Test func `q in the lobby asks only within two seconds after a match`() {
    showGame()
    showLobby()
    pass(.milliseconds(1_999))
    press(.character("q"))
    #expect(frame.position(of: "End the program?") != nil)
    press(.character("n"))
    pass(.milliseconds(1))
    press(.character("q"))
    #expect(root.calls == ["quit"])
  }

  @Test func `q asks as long as the result of the match is shown`() {
    let names = PerMark<Player>(x: .person("ann"), o: .person("bob"))
    showLobby(
      after: LastGame(
        game: .ticTacToe, players: names, seat: .one(.x), board: Board(.ticTacToe),
        outcome: Outcome(winner: .x, reason: .left)))
    pass(.seconds(60))
    for _ in 0..<2 {
      press(.character("q"))
      #expect(frame.position(of: "End the program?") != nil)
      press(.character("n"))
    }
    press(.down, .character("q"))
    #expect(root.calls == ["quit"])
  }

  @Test func `extra Enters never place a mark`() {
    showLobby()
    press(.down, .enter)
    showGame()
    for _ in 0..<10 {
      press(.enter, .character(" "))
      pass(.milliseconds(400))
    }
    #expect(moves.calls.isEmpty)
    pass(.milliseconds(500))
    press(.enter, .enter)
    #expect(moves.calls == ["1 1"])
    press(.left, .enter)
    #expect(moves.calls == ["1 1", "1 0"])
  }

  @Test func `Ctrl-C in a game asks, and a second one ends the program`() {
    showGame(inMatch: "zrg3")
    press(.character("t"), .control("c"))
    #expect(frame.position(of: "End the program, and lose this game? (y/n)") != nil)
    #expect(footer.contains("any other key no"))
    press(.character("5"))
    #expect(frame.position(of: "End the program") == nil)
    #expect(moves.calls.isEmpty)
    #expect(root.calls.isEmpty)
    press(.control("c"), .control("c"))
    #expect(root.calls == ["quit"])
  }

  @Test(arguments: ["q", "r", "g"])
  func `Ctrl-C takes the place of another question`(key: Character) {
    showGame(inMatch: "zrg3")
    press(.character(key), .control("c"))
    #expect(frame.position(of: "End the program, and lose this game? (y/n)") != nil)
    press(.character("n"))
    for question in ["End the program", "Leave, and lose", "Resign this game"] {
      #expect(frame.position(of: question) == nil)
    }
    #expect(root.calls.isEmpty)
    #expect(moves.calls.isEmpty)
  }

  @Test func `Ctrl-C asks also while the terminal is too small, and not a spectator`() {
    showGame()
    screen.redraw(size: Size(rows: 5, columns: 60))
    press(.control("c"))
    #expect(root.calls.isEmpty)
    #expect(view.question != nil)
    press(.control("c"))
    #expect(root.calls == ["quit"])
    let other = RootView(screen: screen)
    other.listener = root
    other.show(TicTacToeView(screen: screen, game: .ticTacToe, setup: setup(seat: .none)))
    other.press(.control("c"))
    #expect(root.calls == ["quit", "quit"])
  }

  @Test func `while the connection is lost, the game says so and takes no moves`() {
    showGame(inMatch: "zrg3")
    var news = MatchNews()
    news.match = "zrg3"
    news.lostSince = .zero
    view.show(news)
    #expect(frame.position(of: "Not connected") != nil)
    #expect(frame.position(of: "Your turn") == nil)
    #expect(footer.contains("Ctrl-C quit"))
    press(.character("5"), .character("r"))
    #expect(moves.calls.isEmpty)
    #expect(frame.position(of: "Resign") == nil)
    #expect(frame.position(of: "There is no connection to the server now.") != nil)
    news.lostSince = nil
    view.show(news)
    press(.character("5"))
    #expect(moves.calls == ["1 1"])
  }

  private var frame: Frame {
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    return frame
  }

  private var footer: String { frame.lines.last ?? "" }

  private func setup(seat: Seat = .one(.x)) -> GameSetup {
    GameSetup(series: TicTacToeSceneTests.series, seat: seat, board: Board(.ticTacToe))
  }

  private func showGame(inMatch match: String? = nil) {
    let game = TicTacToeView(screen: screen, game: .ticTacToe, setup: setup())
    game.listener = moves
    view.show(game)
    guard let match else { return }
    var news = MatchNews()
    news.match = match
    view.show(news)
  }

  @discardableResult
  private func showLobby(after lastGame: LastGame? = nil) -> OffGameView {
    let lobby = OffGameView(screen: screen, names: ["ann"], lastGame: lastGame)
    lobby.listener = lobbyListener
    lobby.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    view.show(lobby)
    return lobby
  }

  private func pass(_ time: Duration) { timers.advance(by: time) }

  private func press(_ keys: Key...) {
    for key in keys { screen.press(key) }
  }

  private func paste(_ text: String) {
    for character in text { screen.press(.pasted(character)) }
  }
}

private final class MoveRecorder: TicTacToePresentableListener {
  private(set) var calls: [String] = []

  func place(at cell: Cell, by mark: Mark?) { calls.append("\(cell.row) \(cell.column)") }
  func resign(by mark: Mark?) { calls.append("resign") }
}
