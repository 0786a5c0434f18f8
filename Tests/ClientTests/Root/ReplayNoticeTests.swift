import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// What a viewer of a replay learns of the lobby, on the full screen.
@Suite struct ReplayNoticeTests {
  private let fixture = LinkFixture()
  private let clock: ManualTimers
  private let screen: Screen
  private let root: any LaunchRouting
  private let ending = RootListenerMock()

  init() {
    clock = fixture.clock
    screen = Screen(timers: clock)
    let match = RemoteMatch(link: fixture.link)
    let scoreStream = MutableScoreStream()
    let games = GameRegistry([
      Game(.ticTacToe) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) }
    ])
    let gameService = RemoteGameService(
      link: fixture.link, match: match, games: games, scoreStream: scoreStream,
      random: RandomSource(SeededGenerator(seed: 1)), tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: .example, connectTime: .atLaunch, isAttended: true))
    root = RootBuilder(
      dependency: TestDependency(
        viewFactory: ScreenViewFactory(screen: screen), clock: clock, gameService: gameService,
        scoreStream: scoreStream, workers: [fixture.link], presetNames: ["ann"],
        isAttended: true, launchAction: .replay("zrg3"))
    ).build(withListener: ending)
    root.launch(from: screen)
    let stored = StoredMatch.example
    fixture.server.greet()
    fixture.server.answer(.didLogin(name: "ann", token: "t"))
    fixture.server.answer(
      .replayDidStart(
        ReplayHeader(
          match: "zrg3", game: "tictactoe", players: PerMark(x: "ann", o: "bob"),
          last: stored.events.count)))
    for event in stored.events { fixture.server.send(event) }
    fixture.server.send(.replayDidEnd(match: "zrg3", next: nil))
  }

  private var lines: String {
    var frame = Frame(size: .usual)
    screen.content?.draw(into: &frame)
    return frame.lines.joined(separator: "\n")
  }

  @Test func `an invitation is shown beside the board, and can be answered after the replay`() {
    #expect(lines.contains("Replay of zrg3, game 1 of 2, move 0 of 6"))
    fixture.server.send(.invited(from: "bob", game: "tictactoe"))
    #expect(lines.contains("bob invites you to Tic Tac Toe."))
    // Keys count again some time after the screen has changed by itself.
    clock.advance(by: .milliseconds(600))
    screen.press(.escape)
    #expect(lines.contains("bob invites you: a accepts, d declines"))
    #expect(lines.contains("You have left the replay of zrg3."))
  }

  @Test(arguments: [true, false])
  func `the sentence about the replay that was left goes with the next key or notice`(isKey: Bool) {
    clock.advance(by: .milliseconds(600))
    screen.press(.escape)
    #expect(lines.contains("You have left the replay of zrg3."))
    clock.advance(by: .milliseconds(600))
    if isKey {
      screen.press(.down)
    } else {
      fixture.server.send(.announcement(text: "Tea is ready."))
      #expect(lines.contains("Tea is ready."))
    }
    #expect(!lines.contains("You have left the replay of zrg3."))
  }

  @Test func `a notice is shown, and a lost connection leaves the replay as it is`() {
    fixture.server.send(.announcement(text: "Tea is ready."))
    #expect(lines.contains("Tea is ready."))
    fixture.server.cut()
    clock.advance(by: .milliseconds(600))
    screen.press(.right)
    #expect(lines.contains("Replay of zrg3, game 1 of 2, move 1 of 6"))
  }

  @Test func `a game that begins replaces the replay`() {
    fixture.server.beginGame(match: "m")
    #expect(lines.contains("Your turn: place X"))
    #expect(!lines.contains("Replay"))
  }
}
