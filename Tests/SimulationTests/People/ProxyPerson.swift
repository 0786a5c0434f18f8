import Shared
import TestSupport

@testable import Client

/// Somebody at the real client, without its screen: the link, remote play and the proxy of the game,
/// whose view is compared with the server's board after every event. Its links are cut; then the
/// client comes back by itself.
final class ProxyPerson: TicTacToeDependency {
  let name: String
  let random = RandomSource(SeededGenerator(seed: 1))
  private let world: World
  private let match: RemoteMatch
  private let gameService: RemoteGameService
  private let link: ServerLink
  private let lines: FrailLines
  private let worker = Interactor()
  private let router = Router(interactor: Interactor())
  private let subscriptions = CompositeCancellable()
  private var view: RecordingGameView?
  private var game: (any GameRouting)?
  private var seat = Seat.none
  private var place = Person.Place.outside
  private var status = LobbyStatus.lobby
  private var lostSince: Duration?
  /// The link on which the game was begun that is shown.
  private var linkOfGame = 0
  private var hasQuit = false
  /// Those that may be good.
  private var tokens: [String] = []
  private(set) var isDone = false

  init(_ name: String, in world: World, timers: any Timers) {
    self.name = name
    self.world = world
    lines = FrailLines(of: name, in: world)
    link = ServerLink(timers: timers) { [lines] _, _, answer in
      answer(lines.connect())
      return CompositeCancellable()
    }
    let match = RemoteMatch(link: link)
    self.match = match
    let games = GameRegistry([
      Game(.ticTacToe) { dependency, game in
        RemoteTicTacToeBuilder(dependency: dependency, game: game, match: match)
      }
    ])
    gameService = RemoteGameService(
      link: link, match: match, games: games, scoreStream: MutableScoreStream(), timers: timers,
      random: random, tokens: TokenFile(folder: nil),
      address: ServerAddress(host: "server", port: 1), connectTime: .atLaunch)
    gameService.delegate = self
    router.interactable.activate()
    router.load()
    worker.activate()
    link.start(worker)
  }

  func begin() {
    gameService.open()
    // After remote play, which has to have drawn by then.
    subscriptions.insert(link.events.subscribe { [weak self] in self?.look(after: $0.event) })
    subscriptions.insert(gameService.lobby.status.subscribe { [weak self] in self?.status = $0 })
    subscriptions.insert(gameService.news.subscribe { [weak self] in self?.lostSince = $0.lostSince })
    world.conduct[name, default: Conduct()].isSteady = true
    later()
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    let view = RecordingGameView()
    self.view = view
    return view
  }

  private func later() {
    let most: Duration = world.isFinishing ? .milliseconds(500) : .seconds(3)
    world.network.after(world.chance.duration(.milliseconds(50)...most)) { [weak self] in
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
      // What it asked for may have been lost with the connection.
      guard case .betweenGames(_, hasAsked: false) = status else { return }
      gameService.lobby.start(.ticTacToe, against: .anyone)
    case .lobby:
      guard !world.isFinishing else { return quit() }
      place = .waiting(opponent: nil)
      gameService.lobby.start(.ticTacToe, against: world.chance.happens(20) ? .bot : .anyone)
    case .playing:
      guard let game, let view else { return }
      guard let turn = view.board?.turn, seat.plays(turn) else { return }
      if world.chance.happens(3) {
        world.conduct[name, default: Conduct()].resigns += 1
        return view.listener?.resign(by: turn) ?? ()
      }
      guard let cell = world.chance.pick(game.board.freeCells) else { return }
      view.listener?.place(at: cell, by: turn)
    }
  }

  private func quit() {
    world.conduct[name, default: Conduct()].leaves += 1
    world.conduct[name]?.isSteady = false
    (place, hasQuit) = (.outside, true)
    gameService.quit()
  }

  /// The board has to be that of the last event which it says it has, whatever comes in between.
  private func look(after event: Event) {
    if case .didLogin(_, let token, let place) = event {
      lines.didLogin(at: place)
      note(token, isNew: place == nil)
    }
    guard place == .playing, let last = match.last, let rows = view?.board?.rows else { return }
    let board = world.ledger.board(of: last.match, asOf: last.seq)
    if board?.rows != rows {
      world.fail("\(name) shows \(rows), the server's board is \(String(describing: board?.rows))")
    }
  }
}

extension ProxyPerson {
  /// It always comes back with its last token, which can be good once more.
  private func note(_ token: String?, isNew: Bool) {
    world.deadTokens += tokens.dropLast(isNew ? 0 : 1)
    tokens = tokens.suffix(isNew ? 0 : 1) + [token].compactMap(\.self)
  }
}

extension ProxyPerson: GameServiceDelegate {
  func gameServiceDidOpen() {
    _ = gameService.login(with: [name, "server", "1"], progress: { _ in }) { [weak self] result in
      guard let self else { return }
      if case .failure(let refusal) = result { world.fail("\(name) can't log in: \(refusal)") }
      place = .lobby
    }
  }

  func gameService(didStart game: Game, setup: GameSetup) {
    // The end of the last one may have been missed with the connection.
    if self.game != nil, linkOfGame == lines.number {
      world.fail("\(name): a game begins in a game")
    }
    detachGame()
    let game = game.builder(dependency: self).build(withListener: self, setup: setup)
    self.game = game
    (seat, place, linkOfGame) = (setup.seat, .playing, lines.number)
    router.attachChild(game)
  }

  func gameServiceDidNotStart(_ failure: StartError) {
    place = .lobby
  }

  func gameServiceDidEndMatch() {
    detachGame()
    if place != .outside { place = .lobby }
  }

  /// Not while nobody is there to be asked again.
  func gameServiceDidLogOut(_ reason: String) {
    world.fail("\(name) was logged out: \(reason)")
  }

  func gameServiceDidClose(_ exitReport: ExitReport) {
    isDone = true
    detachGame()
    if !hasQuit, !world.isDown, !isTooLate { world.fail("\(name) gave up: \(exitReport)") }
    world.conduct[name]?.isSteady = false
    worker.deactivate()
  }

  /// Whether the place is kept no longer; a minute has to be enough to come back.
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

extension ProxyPerson: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    detachGame()
    if place == .outside { return }
    // The next game of the series, unless it has had enough of it.
    if world.isFinishing { return quit() }
    guard world.chance.happens(70) else {
      world.conduct[name, default: Conduct()].leaves += 1
      place = .waiting(opponent: nil)
      return gameService.lobby.leaveMatch()
    }
    place = .waiting(opponent: nil)
    gameService.lobby.start(.ticTacToe, against: .anyone)
  }
}
