import Shared
import TestSupport

@testable import Client

/// What `tictactoe-client --plain --name NAME` is made of, in this process: its whole tree, over real
/// TCP. Its time passes twenty times as fast, so that it finds out in half a second that it is told
/// nothing any more.
final class Program {
  struct Prompt: Equatable {
    let number: Int
    let text: String
  }

  var onPrompt: (Prompt) -> Void = { _ in }
  var onEnd: (ExitReport) -> Void = { _ in }
  /// The open question.
  private(set) var prompt: Prompt?
  /// The board as it was drawn last.
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
    let timers = FastTimers(loop, factor: 20)
    let link = ServerLink(timers: timers, connect: loop.connect)
    let match = RemoteMatch(link: link)
    let games = GameRegistry([
      Game(.ticTacToe) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) }
    ])
    gameService = RemoteGameService(
      link: link, match: match, games: games, scoreStream: scores, timers: timers,
      random: RandomSource(), tokens: TokenFile(folder: nil),
      address: ServerAddress(host: "127.0.0.1", port: port), connectTime: .atLaunch,
      isAttended: true)
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
    let component = ProgramComponent(
      viewFactory: PlainViewFactory(console: console), timers: timers, gameService: gameService,
      scoreStream: scores,
      workers: [link], presetNames: [name])
    let root = RootBuilder(dependency: component).build(withListener: self)
    self.root = root
    // What it tells first is the state of now.
    _ = gameService.lobby.status.subscribe { [weak self] in self?.status = $0 }
    root.launch(from: console)
  }

  /// Answers what is asked, now or next.
  func type(_ line: String) { console?.receive(Array("\(line)\n".utf8).span) }

  var isOnline: Bool { link.isOpen && match.news.lostSince == nil }

  var board: Board? { (root as? any RootRouting)?.currentGame?.board }

  var isBetweenGames: Bool {
    if case .betweenGames = status { true } else { false }
  }

  var gamesEnded: Int { scores.latest.map { $0.score.x + $0.score.o + $0.score.draws } ?? 0 }

  private func read(_ text: String) {
    prompt = nil
    if text.contains(" | ") { picture = text }
    if text.hasPrefix("You are ") { hasLoggedIn = true }
    guard text.hasSuffix(": ") || text == "> " else { return }
    prompts += 1
    let prompt = Prompt(number: prompts, text: text)
    self.prompt = prompt
    onPrompt(prompt)
  }
}

extension Program: RootListener {
  /// As the program does it: once this turn is over.
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

private final class ProgramComponent: RootDependency {
  let viewFactory: any ViewFactory
  let random = RandomSource()
  let timers: any Timers
  let gameService: any GameService
  let scoreStream: any ScoreStream
  let workers: [any Working]
  let presetNames: [String]
  let isAttended = true
  let launchAction: LaunchAction? = nil

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
