import RIBs
import Shared
import TestSupport

@testable import Client

/// A player that uses the real client without its screen: the link, remote play and the game's
/// proxy. After every event the proxy's view must show the server's board. Links are cut, and the
/// client reconnects by itself.
final class SimulatedClient: TicTacToeDependency {
  let name: String
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker = ManualBotThinker()
  private let world: World
  private let match: RemoteMatch
  private let gameService: RemoteGameService
  private let link: ServerLink
  private let lines: UnreliableConnector
  private let worker = Interactor()
  private let router = Router(interactor: Interactor())
  private let subscriptions = CompositeCancellable()
  private var view: RecordingGameView?
  private var game: (any GameRouting)?
  /// The game of the current match, or of the last one.
  private var info = GameInfo.ticTacToe
  private var seat = Seat.none
  private var place = SimulatedPlayer.Place.outside
  private var status = LobbyStatus.lobby
  private var lostSince: Duration?
  /// The number of the link on which the current game began.
  private var linkOfGame = 0
  private var hasQuit = false
  /// Tokens that may still be valid.
  private var tokens: [String] = []
  private(set) var isDone = false

  init(_ name: String, in world: World, timers: any Timers) {
    self.name = name
    self.world = world
    lines = UnreliableConnector(of: name, in: world)
    link = ServerLink(timers: timers) { [lines] _, _, answer in
      answer(lines.connect())
      return CompositeCancellable()
    }
    let match = RemoteMatch(link: link)
    self.match = match
    let games = GameRegistry(
      GameInfo.all.map { game in
        Game(game) { dependency, game in
          RemoteTicTacToeBuilder(dependency: dependency, game: game, match: match)
        }
      })
    gameService = RemoteGameService(
      link: link, match: match, games: games, scoreStream: MutableScoreStream(), random: random,
      tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: ServerAddress(host: "server", port: 1), connectTime: .atLaunch))
    gameService.delegate = self
    router.interactable.activate()
    router.load()
    worker.activate()
    link.start(worker)
  }

  func begin() {
    gameService.open()
    // Subscribes after remote play, so that the view is up to date.
    subscriptions.insert(link.events.subscribe { [weak self] in self?.look(after: $0.event) })
    subscriptions.insert(gameService.lobby.status.subscribe { [weak self] in self?.status = $0 })
    subscriptions.insert(
      gameService.news.subscribe { [weak self] in self?.lostSince = $0.lostSince })
    world.history[name, default: PlayerHistory()].alwaysReturns = true
    later()
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    let view = RecordingGameView()
    self.view = view
    return view
  }

  private func later() {
    let most: Duration = world.isFinishing ? .milliseconds(500) : .seconds(3)
    world.network.after(world.random.duration(.milliseconds(50)...most)) { [weak self] in
      self?.tick()
    }
  }

  private func tick() {
    guard !isDone else { return }
    act()
    later()
  }

  private func act() {
    switch place {
    case .outside, .watching: break
    case .waiting:
      if world.isFinishing { return quit() }
      // The request may have been lost with the connection.
      guard case .betweenGames(_, hasAsked: false) = status else { return }
      gameService.lobby.start(info, against: .anyone, level: nil)
    case .lobby:
      guard !world.isFinishing else { return quit() }
      place = .waiting(opponent: nil)
      gameService.lobby.start(
        world.someGame.flatMap { id in GameInfo.all.first { $0.id == id } } ?? .ticTacToe,
        against: world.random.happens(percent: 20) ? .bot : .anyone, level: nil)
    case .playing:
      guard let game, let view else { return }
      guard let turn = view.board?.turn, seat.plays(turn) else { return }
      if world.random.happens(percent: 3) {
        world.history[name, default: PlayerHistory()].resigns += 1
        return view.listener?.resign(by: turn) ?? ()
      }
      guard let cell = world.someCell(of: game.board) else { return }
      view.listener?.place(at: cell, by: turn)
    }
  }

  private func quit() {
    world.history[name, default: PlayerHistory()].leaves += 1
    world.history[name]?.alwaysReturns = false
    (place, hasQuit) = (.outside, true)
    gameService.quit()
  }

  /// Compares the board with the server's as of the last event that the client has.
  private func look(after event: Event) {
    if case .didLogin(_, let token, let place, _) = event {
      lines.didLogin(at: place)
      note(token, isNew: place == nil)
    }
    guard place == .playing, let last = match.last, let rows = view?.board?.rows else { return }
    let board = world.model.board(of: last.match, asOf: last.seq)
    if board?.rows != rows {
      world.fail("\(name) shows \(rows), the server's board is \(String(describing: board?.rows))")
    }
  }
}

extension SimulatedClient {
  /// The client always resumes with its latest token, which can be valid once more.
  private func note(_ token: String?, isNew: Bool) {
    world.deadTokens += tokens.dropLast(isNew ? 0 : 1)
    tokens = tokens.suffix(isNew ? 0 : 1) + [token].compactMap(\.self)
  }
}

extension SimulatedClient: GameServiceDelegate {
  func gameServiceDidOpen() {
    _ = gameService.loginService.login(
      with: [name, "server", "1"], password: nil, progress: { _ in }
    ) {
      [weak self] result in
      guard let self else { return }
      if case .failure(let refusal) = result { world.fail("\(name) can't log in: \(refusal)") }
      place = .lobby
    }
  }

  func gameService(didStart plugin: Game, setup: GameSetup) {
    // The end of the last game may have been lost with the connection.
    if self.game != nil, linkOfGame == lines.number {
      world.fail("\(name): a game begins in a game")
    }
    detachGame()
    let game = plugin.builder(dependency: self).build(withListener: self, setup: setup)
    (self.game, info) = (game, plugin.info)
    (seat, place, linkOfGame) = (setup.seat, .playing, lines.number)
    router.attachChild(game)
  }

  func gameService(didLoad replay: Replay) {}
  func gameServiceDidNotStart(_ failure: StartFailure) {
    place = .lobby
  }

  func gameServiceDidEndMatch() {
    detachGame()
    if place != .outside { place = .lobby }
  }

  /// Only a client with a person at it, who can log in again, may be logged out.
  func gameServiceDidLogOut(_ reason: LoginFormError) {
    world.fail("\(name) was logged out: \(reason.sentence)")
  }

  func gameServiceDidClose(_ exitReport: ExitReport) {
    isDone = true
    detachGame()
    if !hasQuit, !world.isDown, !isTooLate { world.fail("\(name) gave up: \(exitReport)") }
    world.history[name]?.alwaysReturns = false
    worker.deactivate()
  }

  /// Whether the server no longer keeps the session. A minute must be enough to reconnect.
  private var isTooLate: Bool {
    guard let lostSince, let grace = world.plan.grace else { return false }
    return grace < .seconds(60) && world.now - lostSince >= grace
  }

  private func detachGame() {
    guard let game else { return }
    self.game = nil
    router.detachChild(game)
  }
}

extension SimulatedClient: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    detachGame()
    if place == .outside { return }
    // A rematch, or the end of the match.
    if world.isFinishing { return quit() }
    guard world.random.happens(percent: 70) else {
      world.history[name, default: PlayerHistory()].leaves += 1
      place = .waiting(opponent: nil)
      return gameService.lobby.leaveMatch()
    }
    place = .waiting(opponent: nil)
    gameService.lobby.start(info, against: .anyone, level: nil)
  }
}
