import Shared

/// What OffGame shows.
protocol OffGamePresentable: Presentable {
  var listener: (any OffGamePresentableListener)? { get set }
  /// Whether `show(_:)` of the players is of use to this view.
  var showsPlayers: Bool { get }
  /// Who plays the series that goes on and how it stands, `nil` where none does: before the first
  /// status, and at each change.
  func show(_ series: Series?)
  /// Where the person stands, first of all and whenever that is told, and what can be started.
  /// `since` is when a waiting began, on the clock that the RIB was given; `nil` where nobody waits.
  func show(_ status: PlayStatus, since: Duration?, offers: [Offer])
  /// Those that stand, at each change.
  func show(_ invitations: [Invitation])
  /// Who is here, at each change.
  func show(_ players: PlayerList)
  /// What there is to watch, at each change.
  func show(_ matches: MatchList)
  /// A game is being asked for, though the person has typed nothing.
  func showRequest(_ wish: FirstWish)
  /// So long a start has waited; a sign of life for views that do not draw a clock.
  func show(waitingFor duration: Duration)
  /// Something has happened, or a wish was refused.
  func say(_ sentence: String)
}

/// What OffGame tells the root.
protocol OffGameListener: AnyObject {
  func startGame(with game: GameInfo, against opponent: Opponent)
  func cancelStart()
  func leaveMatch()
  func watch(_ match: String)
  func listPlayers()
  func listMatches()
}

/// The lobby, and the time between the games of a match: names, score, and what can be started.
final class OffGameInteractor: PresentableInteractor<any OffGamePresentable>,
  OffGameInteractable
{
  /// How often a start that waits shows that it does.
  static let heartbeat: Duration = .seconds(10)

  weak var listener: (any OffGameListener)?
  private let starting: any Starting
  private let scoreStream: any ScoreStream
  private let timers: any Timers
  private let players: PlayersWorker
  private var invitations: [Invitation] = []
  /// The game that `start` means, once a person has chosen one.
  private var chosen: GameInfo?
  private var heartbeat: LoopTimer?

  init(
    presenter: any OffGamePresentable, starting: any Starting, scoreStream: any ScoreStream,
    timers: any Timers
  ) {
    self.starting = starting
    self.scoreStream = scoreStream
    self.timers = timers
    players = PlayersWorker(starting: starting, timers: timers)
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    scoreStream.series.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    starting.status.subscribe { [weak self] in self?.statusDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    starting.invitations.subscribe { [weak self] in self?.invitationsDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    starting.notices.subscribe { [weak self] in self?.presenter.say($0) }
      .disposeOnDeactivate(interactor: self)
    guard presenter.showsPlayers else { return }
    players.players.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    players.matches.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    players.start(self)
  }

  override func willResignActive() {
    stopHeartbeat()
  }

  private func statusDidChange(_ status: PlayStatus) {
    stopHeartbeat()
    let since = status.isWaiting ? timers.now : nil
    presenter.show(status, since: since, offers: starting.offers)
    if let since { beatLater(since: since) }
  }

  private func invitationsDidChange(_ invitations: [Invitation]) {
    self.invitations = invitations
    presenter.show(invitations)
  }

  private func beatLater(since start: Duration) {
    heartbeat = timers.schedule(after: Self.heartbeat) { [weak self] in
      guard let self else { return }
      presenter.show(waitingFor: timers.now - start)
      beatLater(since: start)
    }
  }

  private func stopHeartbeat() {
    heartbeat?.cancel()
    heartbeat = nil
  }

  private func offer(of gameID: String) -> Offer? {
    starting.offers.first { $0.game.id == gameID }
  }

  /// What a start against an opponent is for, unless a game is chosen or a match goes on.
  private func offer(against opponent: Opponent) -> Offer? {
    let invitation = invitations.first { opponent == .player($0.from) }
    return invitation.flatMap { offer(of: $0.game) } ?? starting.offers.first(where: \.isPlayable)
  }

  /// The game that a start is for; where there is none, that is said.
  private func game(against opponent: Opponent) -> GameInfo? {
    if let game = chosen ?? starting.matchGame { return game }
    guard let offer = offer(against: opponent) else {
      presenter.say("There is no game that can be played with this client.")
      return nil
    }
    guard offer.isPlayable else {
      refuse(offer)
      return nil
    }
    return offer.game
  }

  private func refuse(_ offer: Offer) {
    presenter.say("\(offer.game.name) cannot be played with this client.")
  }
}

extension OffGameInteractor: OffGameActionableItem {
  func request(_ wish: FirstWish) -> StepStream<any OffGameActionableItem, Void> {
    switch wish {
    case .start(let opponent):
      guard let game = game(against: opponent) else { return .failure(FailedStart.refused) }
      presenter.showRequest(wish)
      listener?.startGame(with: game, against: opponent)
    case .watch(let match):
      presenter.showRequest(wish)
      listener?.watch(match)
    }
    return .step(self, ())
  }
}

extension OffGameInteractor: OffGamePresentableListener {
  func choose(gameID: String) {
    guard let offer = offer(of: gameID) else {
      return presenter.say("There is no game called \(gameID).")
    }
    guard offer.isPlayable else { return refuse(offer) }
    chosen = offer.game
    presenter.say("The next start is for \(offer.game.name).")
  }

  func start(against opponent: Opponent) {
    guard let game = game(against: opponent) else { return }
    listener?.startGame(with: game, against: opponent)
  }

  func cancel() {
    listener?.cancelStart()
  }

  func leave() {
    listener?.leaveMatch()
  }

  func watch(_ match: String) {
    listener?.watch(match)
  }

  func list() {
    listener?.listPlayers()
  }

  func listMatches() {
    listener?.listMatches()
  }
}

/// What a person does between games.
protocol OffGamePresentableListener: AnyObject {
  func choose(gameID: String)
  func start(against opponent: Opponent)
  func cancel()
  func leave()
  func watch(_ match: String)
  func list()
  func listMatches()
}

/// What a workflow can do with OffGame.
protocol OffGameActionableItem: AnyObject {
  /// Asks for a game, to play or to watch, as a person does who types it, and is done at once. Where
  /// it can be seen here that there is no such game, OffGame says so and the step fails.
  func request(_ wish: FirstWish) -> StepStream<any OffGameActionableItem, Void>
}
