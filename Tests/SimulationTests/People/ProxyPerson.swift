import Shared
import TestSupport

@testable import Client

/// Somebody at the real client, without its screen: the link, remote play and the proxy of the game,
/// whose view is compared with the server's board after every event. Its connections are not cut.
final class ProxyPerson: TicTacToeDependency {
  let name: String
  let random = RandomSource(SeededGenerator(seed: 1))
  private let world: World
  private let link: ServerLink
  private let play: RemotePlay
  private let worker = Interactor()
  private let router = Router(interactor: Interactor())
  private let subscriptions = CompositeCancellable()
  private var view: RecordingGameView?
  private var game: (any GameRouting)?
  private var seat = Seat.none
  private var place = Person.Place.outside
  private(set) var isDone = false

  init(_ name: String, in world: World, timers: any Timers) {
    self.name = name
    self.world = world
    link = ServerLink(timers: timers) { [weak world] _, _, answer in
      if let world { answer(.success(world.connect(name))) }
      return CompositeCancellable()
    }
    let match = RemoteMatch(link: link)
    let games = GameRegistry([
      Game(.ticTacToe) { dependency, game in
        RemoteTicTacToeBuilder(dependency: dependency, game: game, match: match)
      }
    ])
    play = RemotePlay(
      link: link, match: match, games: games, scoreStream: MutableScoreStream(), timers: timers,
      random: random, tokens: TokenFile(folder: nil),
      address: ServerAddress(host: "server", port: 1), connectTime: .atLaunch)
    play.listener = self
    router.interactable.activate()
    router.load()
    worker.activate()
    link.start(worker)
  }

  func begin() {
    play.open()
    // After remote play, which has to have drawn by then.
    subscriptions.insert(link.events.subscribe { [weak self] in self?.look(after: $0.event) })
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
    case .waiting: if world.isFinishing { quit() }
    case .lobby:
      guard !world.isFinishing else { return quit() }
      place = .waiting(opponent: nil)
      play.start(.ticTacToe, against: world.chance.happens(20) ? .bot : .anyone)
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
    place = .outside
    play.quit()
  }

  private func look(after event: Event) {
    guard case .match(let event) = event, place == .playing, let rows = view?.board?.rows else {
      return
    }
    let board = world.ledger.board(of: event.match, asOf: event.seq)
    if board?.rows != rows {
      world.fail("\(name) shows \(rows), the server's board is \(String(describing: board?.rows))")
    }
  }
}

extension ProxyPerson: PlayListener {
  func playDidOpen() {
    _ = play.login(with: [name, "server", "1"], progress: { _ in }) { [weak self] result in
      guard let self else { return }
      if case .failure(let refusal) = result { world.fail("\(name) can't log in: \(refusal)") }
      place = .lobby
    }
  }

  func play(didStart game: Game, setup: GameSetup) {
    if self.game != nil { world.fail("\(name): a game begins in a game") }
    let game = game.builder(dependency: self).build(withListener: self, setup: setup)
    self.game = game
    (seat, place) = (setup.seat, .playing)
    router.attachChild(game)
  }

  func playDidNotStart(_ failure: FailedStart) {
    place = .lobby
  }

  func playDidEndMatch() {
    detachGame()
    if place != .outside { place = .lobby }
  }

  func playDidClose(_ farewell: Farewell) {
    isDone = true
    detachGame()
    if !world.isFinishing { world.fail("\(name) was sent away: \(farewell)") }
    worker.deactivate()
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
      return play.leaveMatch()
    }
    place = .waiting(opponent: nil)
    play.start(.ticTacToe, against: .anyone)
  }
}
