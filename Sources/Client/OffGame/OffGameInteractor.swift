import Shared

/// What OffGame shows.
protocol OffGamePresentable: Presentable {
  var listener: (any OffGamePresentableListener)? { get set }
  /// `series` is `nil` where none goes on.
  func show(_ status: PlayStatus, series: Series?, offers: [Offer])
  func show(_ invitation: Invitation)
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
  private var chosen: Offer?
  private var waiting: (since: Duration, next: LoopTimer)?

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
      presenter.show(invitation)
    }
    self.invitations = invitations
  }

  private func beatLater(since start: Duration) {
    let next = timers.schedule(after: Self.heartbeat) { [weak self] in
      guard let self else { return }
      presenter.show(waitingFor: timers.now - start)
      beatLater(since: start)
    }
    waiting = (start, next)
  }

  private func stopHeartbeat() {
    waiting?.next.cancel()
    waiting = nil
  }
}

extension OffGameInteractor: OffGamePresentableListener {
  func choose(gameID: String) {
    guard let offer = starting.offers.first(where: { $0.game.id == gameID }) else {
      return presenter.say("There is no game called \(gameID).")
    }
    guard offer.isPlayable else {
      return presenter.say("\(offer.game.name) cannot be played with this client.")
    }
    chosen = offer
    presenter.say("The next start is for \(offer.game.name).")
  }

  func start(against opponent: Opponent) {
    guard let offer = chosen ?? starting.offers.first(where: \.isPlayable) else {
      return presenter.say("There is no game that can be played with this client.")
    }
    listener?.startGame(with: offer.game, against: opponent)
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
