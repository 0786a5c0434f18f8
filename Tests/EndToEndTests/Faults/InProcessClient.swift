import RIBs
import Shared
import TestSupport

@testable import Client

/// `tictactoe-client --plain --name NAME` in this process: its whole tree, over real TCP. Its clock
/// runs 20 times as fast, so that it notices a silent connection within half a second.
final class InProcessClient {
  struct Prompt: Equatable {
    let number: Int
    let text: String
  }

  var onPrompt: (Prompt) -> Void = { _ in }
  var onEnd: (ExitReport) -> Void = { _ in }
  /// The prompt that waits for a line; `nil` while none does.
  private(set) var prompt: Prompt?
  /// The board as last drawn.
  private(set) var picture = ""
  private(set) var status = LobbyStatus.lobby
  private(set) var hasLoggedIn = false
  private(set) var hasEnded = false
  let match: RemoteMatch
  let scores = MutableScoreStream()
  private let name: String
  private let loop: EventLoop
  private let timers: any Timers
  private let link: ServerLink
  private let gameService: RemoteGameService
  private var console: Console?
  private var root: (any LaunchRouting)?
  private var prompts = 0

  init(_ name: String, loop: EventLoop, port: UInt16) {
    self.name = name
    self.loop = loop
    let timers = AcceleratedTimers(loop, factor: 20)
    let link = ServerLink(timers: timers) { loop.connect(host: $0, port: $1, answer: $2) }
    let match = RemoteMatch(link: link)
    let games = GameRegistry([
      Game(.ticTacToe) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) }
    ])
    gameService = RemoteGameService(
      link: link, match: match, games: games, scoreStream: scores, random: RandomSource(),
      tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: ServerAddress(host: "127.0.0.1", port: port), connectTime: .atLaunch,
        isAttended: true))
    (self.timers, self.link, self.match) = (timers, link, match)
  }

  func launch() {
    let console = Console(
      isInteractive: false,
      write: { [weak self] text in
        self?.read(text)
        return true
      },
      later: { [loop] action in loop.schedule(after: .zero, action) })
    self.console = console
    let component = InProcessComponent(
      viewFactory: PlainViewFactory(console: console), timers: timers, gameService: gameService,
      scoreStream: scores,
      workers: [link], presetNames: [name])
    let root = RootBuilder(dependency: component).build(withListener: self)
    self.root = root
    // The stream delivers the current state at once.
    _ = gameService.lobby.status.subscribe { [weak self] in self?.status = $0 }
    root.launch(from: console)
  }

  /// Types a line, for the current prompt or the next one.
  func type(_ line: String) { console?.receive(Array("\(line)\n".utf8).span) }

  var isOnline: Bool { link.isOpen && match.news.lostSince == nil }

  var board: Board? { (root as? any RootRouting)?.currentGame?.board }

  var isBetweenGames: Bool {
    if case .betweenGames = status { true } else { false }
  }

  var gamesEnded: Int { scores.latest.map { $0.score.x + $0.score.o + $0.score.draws } ?? 0 }

  private func read(_ text: String) {
    prompt = nil
    if text.contains(" | ") { picture = text.withoutLastMove }
    if text.hasPrefix("You are ") { hasLoggedIn = true }
    guard text.hasSuffix(": ") || text == "> " else { return }
    prompts += 1
    let prompt = Prompt(number: prompts, text: text)
    self.prompt = prompt
    onPrompt(prompt)
  }
}

extension String {
  /// A picture of a board without the parentheses around the last move.
  fileprivate var withoutLastMove: String {
    replacing("(", with: " ").replacing(")\n", with: "\n").replacing(")", with: " ")
  }
}

extension InProcessClient: RootListener {
  /// Ends the tree after this turn of the loop, as the program does.
  func rootDidFinish(_ exitReport: ExitReport) {
    loop.schedule(after: .zero) { [weak self] in
      guard let self, !hasEnded else { return }
      hasEnded = true
      console?.stopAsking()
      root?.interactable.deactivate()
      onEnd(exitReport)
    }
  }
}

private final class InProcessComponent: RootDependency {
  let viewFactory: any ViewFactory
  let random = RandomSource()
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers
  let gameService: any GameService
  let scoreStream: any ScoreStream
  let workers: [any Working]
  let presetNames: [String]
  let isAttended = true
  let launchAction: LaunchAction? = nil
  let gameChoice = GameChoice()
  let replay: Replay? = nil
  let replayGames = { GameRegistry(GameInfo.all, over: $0) }

  init(
    viewFactory: any ViewFactory, timers: any Timers, gameService: any GameService,
    scoreStream: any ScoreStream,
    workers: [any Working], presetNames: [String]
  ) {
    self.viewFactory = viewFactory
    self.timers = timers
    self.gameService = gameService
    self.scoreStream = scoreStream
    self.workers = workers
    self.presetNames = presetNames
  }
}
