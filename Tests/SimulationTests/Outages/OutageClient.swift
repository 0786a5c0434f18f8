import RIBs
import Shared
import TestSupport

@testable import Client

/// The real client with its whole tree, on the full screen or in plain lines, used by a person or a
/// script.
final class OutageClient {
  enum Mode: CaseIterable {
    case screen, lines, script
  }

  /// What the person at the client sees.
  enum View: Equatable {
    /// The form, and whether it asks for a password.
    case form(asksForPassword: Bool)
    case lobby, game
    /// The program has ended, with its sentence.
    case ended(String?)
    case nothing
  }

  let mode: Mode
  private let clock: ManualTimers
  private let terminal = OutageTerminal()
  private let console: Console?
  private let screen: Screen?
  private let gameService: RemoteGameService
  private let root: any LaunchRouting
  private let ending = OutageEnding()
  private let dependency: OutageDependency

  /// `connect` returns a connection to the server; `nil` if it cannot be reached. `state` is the
  /// folder of the tokens.
  init(
    _ mode: Mode, name: String, clock: ManualTimers, state: String, seed: UInt64,
    connect: @escaping () -> (any Connection)?
  ) {
    self.mode = mode
    self.clock = clock
    let link = ServerLink(timers: clock) { _, _, answer in
      answer(connect().map { .success($0) } ?? .failure(.cannotConnect("Connection refused")))
      return CompositeCancellable()
    }
    let match = RemoteMatch(link: link)
    let scoreStream = MutableScoreStream()
    let games = GameRegistry(
      GameInfo.all.map { game in
        Game(game) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) }
      })
    gameService = RemoteGameService(
      link: link, match: match, games: games, scoreStream: scoreStream,
      random: RandomSource(SeededGenerator(seed: seed)), tokens: TokenFile(folder: state),
      settings: RemoteGameService.Settings(
        address: ServerAddress(host: "server", port: 1),
        connectTime: mode == .screen ? .atLogin : .atLaunch, isAttended: mode != .script))
    let factory: any ViewFactory
    if mode == .screen {
      // Few rows: most of the time goes into drawing the spinner of an outage.
      let screen = Screen(size: Size(rows: 12, columns: 100), timers: clock) { _ in }
      screen.redraw(size: screen.size)
      (self.screen, console) = (screen, nil)
      factory = ScreenViewFactory(screen: screen)
    } else {
      let console = Console(
        isInteractive: mode == .lines,
        write: { [terminal] in
          terminal.output += $0
          return true
        }, later: { [terminal] in terminal.actions.append($0) })
      (screen, self.console) = (nil, console)
      factory = PlainViewFactory(console: console)
    }
    dependency = OutageDependency(
      viewFactory: factory, timers: clock, gameService: gameService, scoreStream: scoreStream,
      workers: [link], presetNames: [name], isAttended: mode != .script)
    root = Client.RootBuilder(dependency: dependency).build(withListener: ending)
    if let screen { root.launch(from: screen) } else if let console { root.launch(from: console) }
  }

  var view: View {
    if let report = ending.report { return .ended(report.sentence) }
    switch root.children.first {
    case is any GameRouting: return .game
    case is OffGameRouter: return .lobby
    case is LoggedOutRouter: return .form(asksForPassword: asksForPassword)
    default: return .nothing
    }
  }

  private var asksForPassword: Bool {
    mode == .screen ? text.contains("Password") : terminal.output.hasSuffix("other name): ")
  }

  /// What is on the screen, or what has been printed since `forgetOutput`.
  var text: String {
    terminal.settle()
    guard let screen, let content = screen.content else { return terminal.output }
    var frame = Frame(size: screen.size)
    content.draw(into: &frame)
    return (0..<screen.size.rows).map { row in
      String((0..<screen.size.columns).compactMap { frame[row, $0].character })
    }.joined(separator: "\n")
  }

  func forgetOutput() { terminal.output = "" }

  func settle() { terminal.settle() }

  /// Types a line, or the keys of it and Enter. A script's lines wait for a question.
  func type(_ line: String) {
    if let screen {
      screen.press(.control("u"))
      for character in line { screen.press(.character(character)) }
      screen.press(.enter)
    } else {
      console?.receive(Array("\(line)\n".utf8).span)
      terminal.settle()
    }
  }

  func press(_ character: Character) { screen?.press(.character(character)) }

  /// Goes to the form's field of the name.
  func goToName(insteadOfPassword: Bool) {
    guard insteadOfPassword else { return }
    if mode == .screen { screen?.press(.backTab) } else { type("") }
  }

  /// The lobby, as OffGame asks it for a game.
  private var offGameLobby: any GameLobby {
    ((root as? Client.RootRouter)?.interactable as? any OffGameListener)?.willRequestGame()
    return gameService.lobby
  }

  func start(against name: String?) {
    let opponent = name.map { $0 == "bot" ? Opponent.bot : .player($0) } ?? .anyone
    offGameLobby.start(.ticTacToe, against: opponent, level: .easy)
  }

  func open() { offGameLobby.open(.ticTacToe) }
  func watch(_ match: String) { offGameLobby.watch(match) }
  func replay(_ match: String) { offGameLobby.replay(match) }
  func closeReplay() { (root as? Client.RootRouter)?.detachReplay() }
  func cancel() { gameService.lobby.cancelStart() }

  /// Opens a screen within the lobby by its key, or its word.
  func openPart(_ key: Character, _ word: String) {
    if mode == .screen { press(key) } else { type(word) }
  }

  func leave() {
    let listener = (root as? Client.RootRouter)?.interactable as? any RootPresentableListener
    if view == .game { listener?.leaveGame() } else { gameService.lobby.leaveMatch() }
  }

  var isInMatch: Bool { gameService.lobby.matchGame != nil }

  func list(_ answer: @escaping (Bool) -> Void) {
    gameService.lobby.listPlayers { answer((try? $0.get()) != nil) }
  }

  /// Puts a mark in the first empty cell. Returns the number of marks on the board.
  func move() -> Int? {
    guard let game = root.children.first as? any GameRouting else { return nil }
    let (board, shape) = (game.board, game.board.shape)
    let cells = (0..<shape.rows * shape.columns).map { shape.cell(at: $0) }
    if let view = game.viewControllable as? any TicTacToePresentable, let turn = board.turn,
      let cell = cells.first(where: { board[$0] == nil })
    {
      view.listener?.place(at: cell, by: turn)
    }
    return cells.count { board[$0] != nil }
  }
}

private final class OutageTerminal {
  var output = ""
  var actions: [() -> Void] = []

  func settle() { while !actions.isEmpty { actions.removeFirst()() } }
}

private final class OutageEnding: Client.RootListener {
  var report: ExitReport?

  func rootDidFinish(_ report: ExitReport) { self.report = self.report ?? report }
}

private final class OutageDependency: Client.RootDependency {
  let viewFactory: any ViewFactory
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers
  let gameService: any GameService
  let scoreStream: any ScoreStream
  let workers: [any Working]
  let presetNames: [String]
  let isAttended: Bool
  let launchAction: LaunchAction? = nil
  let gameChoice = GameChoice()
  let replay: Replay? = nil
  let replayGames = { GameRegistry(GameInfo.all, over: $0) }

  init(
    viewFactory: any ViewFactory, timers: any Timers, gameService: any GameService,
    scoreStream: any ScoreStream, workers: [any Working], presetNames: [String], isAttended: Bool
  ) {
    self.viewFactory = viewFactory
    self.timers = timers
    self.gameService = gameService
    self.scoreStream = scoreStream
    self.workers = workers
    self.presetNames = presetNames
    self.isAttended = isAttended
  }
}
