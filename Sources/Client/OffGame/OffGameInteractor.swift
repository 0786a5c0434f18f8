import Shared

/// What OffGame shows.
protocol OffGamePresentable: Presentable {
  var listener: (any OffGamePresentableListener)? { get set }
  /// `series` is `nil` where none goes on.
  func show(_ status: PlayStatus, series: Series?, offers: [Offer])
  /// `offer` is the game's, where there are several.
  func show(_ invitation: Invitation, to offer: Offer?)
  /// A game is being asked for, though the person has typed nothing.
  func showRequest(against opponent: Opponent)
  /// So long a start has waited.
  func show(waitingFor duration: Duration)
  /// Something has happened, or a wish was refused.
  func say(_ sentence: String)
}

/// What OffGame tells the root.
protocol OffGameListener: AnyObject {
  func startGame(with game: GameInfo, against opponent: Opponent)
  func cancelStart()
  func leaveMatch()
  func listPlayers()
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
  private var status = PlayStatus.lobby
  private var series: Series?
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
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    scoreStream.series.subscribe { [weak self] in self?.series = $0 }
      .disposeOnDeactivate(interactor: self)
    starting.status.subscribe { [weak self] in self?.statusDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    starting.invitations.subscribe { [weak self] in self?.invitationsDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    starting.notices.subscribe { [weak self] in self?.presenter.say($0) }
      .disposeOnDeactivate(interactor: self)
  }

  override func willResignActive() {
    stopHeartbeat()
  }

  private func statusDidChange(_ status: PlayStatus) {
    self.status = status
    stopHeartbeat()
    presenter.show(status, series: series, offers: starting.offers)
    switch status {
    case .waiting, .betweenGames(_, hasAsked: true): beatLater(since: timers.now)
    case .lobby, .betweenGames(_, hasAsked: false): break
    }
  }

  private func invitationsDidChange(_ invitations: [Invitation]) {
    for invitation in invitations where !self.invitations.contains(invitation) {
      presenter.show(
        invitation, to: starting.offers.count > 1 ? offer(of: invitation.game) : nil)
    }
    self.invitations = invitations
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
  func requestGame(against opponent: Opponent) -> StepStream<any OffGameActionableItem, Void> {
    guard let game = game(against: opponent) else { return .failure(FailedStart.refused) }
    presenter.showRequest(against: opponent)
    listener?.startGame(with: game, against: opponent)
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

  func list() {
    listener?.listPlayers()
  }
}
