import RIBs
import Shared

/// The root's calls to its router.
protocol RootRouting: LaunchRouting {
  /// The running game; `nil` between games.
  var currentGame: (any GameRouting)? { get }
  /// `alert` is the reason why a person has to log in again; `nil` at the first login.
  func routeToLoggedOut(alert: LoginFormError?)
  @discardableResult
  func routeToOffGame(
    as names: [String], after lastGame: LastGame?
  ) -> any OffGameActionableItem
  func routeToGame(_ game: Game, setup: GameSetup)
  /// Shows a stored match over the current child, which stays attached.
  /// `firstGame` is the index of the game with which the replay begins.
  func routeToReplay(_ replay: Replay, firstGame: Int)
  /// Whether a stored match is on the screen.
  var isReplaying: Bool { get }
  /// Detaches the replay, and shows the current child again.
  func detachReplay()
  /// Detaches the current child, with its view.
  func cleanupViews()
}

/// The root's calls to its view.
protocol RootPresentable: Presentable {
  var listener: (any RootPresentableListener)? { get set }
  /// Shows the news of the match and the connection; called at each change.
  func show(_ news: MatchNews)
  /// Shows a notice while a game is on the screen.
  func say(_ sentence: String)
  /// Shows what the person has just done, until the next key or notice.
  func confirm(_ sentence: String)
  /// Shows a notice that needs the person's attention at once.
  func warn(_ sentence: String)
}

/// The actions of a person on every screen.
protocol RootPresentableListener: AnyObject {
  func leaveGame()
  /// Sends a chat message to everyone in the match.
  func say(_ text: String)
  func quit()
  /// The program is about to be suspended: Ctrl-Z was pressed.
  func willSuspend()
  func didContinue()
  /// Standard input can no longer be read.
  func inputDidFail(_ sentence: String)
}

/// The root's calls to the program.
protocol RootListener: AnyObject {
  func rootDidFinish(_ report: ExitReport)
}

/// The client: shows the login form, then OffGame and the games in turn. It does not know whether
/// the games run in this process or on a server.
final class RootInteractor: PresentableInteractor<any RootPresentable>, RootInteractable {
  weak var router: (any RootRouting)?
  weak var listener: (any RootListener)?
  private let gameService: any GameService
  private let timers: any Timers
  private var alarm: LowTimeAlarm?
  private let workers: [any Working]
  private let launchAction: LaunchAction?
  /// Whether a person is there and can continue when the launch action is refused.
  private let isAttended: Bool
  /// The match in a file, to show instead of everything else.
  private let replay: Replay?
  private let logins = EventSource<Result<any OffGameActionableItem, any Error>>()
  /// The result of the last start; `nil` until there is one.
  private let start = CurrentValue<Result<Void, any Error>?>(nil)
  private var workflow: (any Cancellable)?
  private var names: [String] = []
  private var invitations: [Invitation] = []
  /// The current game, or the last one.
  private var game: (info: GameInfo, setup: GameSetup)?
  private var news = MatchNews()
  /// Whether the opponent has read that this program is suspended.
  private var hasToldOfSuspension = false
  /// Whether the opponent has to read that the person is back.
  private var owesReturn = false
  /// The game of the history with which the replay begins that is being loaded.
  private var replayedGame: (item: HistoryItem, later: Int)?

  init(
    presenter: any RootPresentable, gameService: any GameService, timers: any Timers,
    workers: [any Working], launchAction: LaunchAction?, isAttended: Bool, replay: Replay? = nil
  ) {
    self.replay = replay
    self.gameService = gameService
    self.timers = timers
    self.workers = workers
    self.launchAction = launchAction
    self.isAttended = isAttended
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    gameService.delegate = self
    // A file needs no server.
    if let replay { return router?.routeToReplay(replay, firstGame: 0) ?? () }
    for worker in workers { worker.start(self) }
    alarm = LowTimeAlarm(timers: timers) { [weak self] in self?.warnOfLowTime() }
    gameService.news.subscribe { [weak self] in self?.newsDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    gameService.lobby.notices.subscribe { [weak self] in self?.didNotice($0) }
      .disposeOnDeactivate(interactor: self)
    gameService.lobby.invitations.subscribe { [weak self] in self?.invitationsDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    if let launchAction { begin(launchAction) }
    gameService.open()
  }

  override func willResignActive() {
    alarm?.set(nil)
    workflow?.cancel()
    router?.cleanupViews()
  }

  private func begin(_ action: LaunchAction) {
    let workflow = LaunchWorkflow(action)
    workflow.didFail = { [weak self] error in
      // A person has read the reason and continues.
      guard let self, error == .refused, !isAttended else { return }
      finish(because: nil)
    }
    self.workflow = workflow.subscribe(self)
  }

  /// Ends the program, because the launch action has failed and nobody is there to continue.
  private func finish(because sentence: String?) {
    // No question is asked any more.
    router?.cleanupViews()
    listener?.rootDidFinish(ExitReport(code: .unavailable, sentence: sentence))
    gameService.quit()
  }

  private func newsDidChange(_ news: MatchNews) {
    self.news = news
    presenter.show(news)
    alarm?.set(news.deadline)
    tellOfReturn()
  }

  /// Warns a person who is to move. The opponent's time is not this person's concern.
  private func warnOfLowTime() {
    guard let turn = router?.currentGame?.board.turn, let setup = game?.setup,
      setup.seat.plays(turn)
    else { return }
    presenter.warn("Your time for this move is nearly over.")
  }

  /// Shows a notice during a game or a replay. Otherwise OffGame shows the notices.
  private func didNotice(_ sentence: String) {
    if router?.currentGame != nil || router?.isReplaying == true { presenter.say(sentence) }
  }

  /// Shows an invitation during a replay, which hides OffGame's list of them.
  private func invitationsDidChange(_ invitations: [Invitation]) {
    let new = invitations.last { !self.invitations.contains($0) }
    self.invitations = invitations
    guard let new, router?.isReplaying == true else { return }
    let offer = gameService.lobby.offers.first { $0.game.id == new.game }
    presenter.say(
      "\(new.from) invites you to \(offer?.game.name ?? new.game). To answer, leave the replay.")
  }
}

extension RootInteractor: GameServiceDelegate {
  func gameServiceDidOpen() {
    router?.routeToLoggedOut(alert: nil)
  }

  func gameService(didStart game: Game, setup: GameSetup) {
    self.game = (game.info, setup)
    router?.routeToGame(game, setup: setup)
    start.send(.success(()))
  }

  func gameService(didLoad replay: Replay) {
    guard router?.currentGame == nil else { return }
    let first = replayedGame.flatMap { game in
      game.item.match == replay.match ? replay.index(of: game.item, later: game.later) : nil
    }
    router?.routeToReplay(replay, firstGame: first ?? 0)
    start.send(.success(()))
  }

  func gameServiceDidNotStart(_ error: StartFailure) {
    start.send(.failure(error))
  }

  /// A running game has already reported its end, or will never report it.
  func gameServiceDidEndMatch() {
    if router?.currentGame != nil { router?.routeToOffGame(as: names, after: nil) }
  }

  func gameServiceDidLogOut(_ reason: LoginFormError) {
    start.send(.failure(StartFailure.closed))
    router?.routeToLoggedOut(alert: reason)
  }

  func gameServiceDidClose(_ report: ExitReport) {
    router?.cleanupViews()
    logins.send(.failure(StartFailure.closed))
    start.send(.failure(StartFailure.closed))
    listener?.rootDidFinish(report)
  }
}

extension RootInteractor: LoggedOutListener {
  func didLogin(as names: [String]) {
    self.names = names
    guard let offGame = router?.routeToOffGame(as: names, after: nil) else { return }
    logins.send(.success(offGame))
  }

  func loginDidFail(_ sentence: String) {
    finish(because: sentence)
  }
}

extension RootInteractor: RootActionableItem {
  func waitForLogin() -> StepStream<any OffGameActionableItem, any RootActionableItem> {
    logins.stream.map { login in login.map { ($0, self) } }
  }

  func waitForGame() -> StepStream<any RootActionableItem, Void> {
    start.stream.compactMap { result in result?.map { (self, ()) } }
  }
}

extension RootInteractor: OffGameListener {
  func willRequestGame() {
    replayedGame = nil
    start.send(nil)
  }

  func replay(_ item: HistoryItem, later: Int) {
    willRequestGame()
    replayedGame = (item, later)
    gameService.lobby.replay(item.match)
  }
}

extension RootInteractor: ReplayListener {
  func replayDidEnd(of match: String, damage: String?) {
    guard replay == nil else {
      let report = ExitReport(code: damage == nil ? .ok : .damaged, sentence: damage)
      router?.cleanupViews()
      return listener?.rootDidFinish(report) ?? ()
    }
    router?.detachReplay()
    if let damage {
      presenter.say(damage)
    } else {
      presenter.confirm("You have left the replay of \(match).")
    }
  }
}

extension RootInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    let lastGame = lastGame(with: outcome)
    gameService.gameDidEnd(with: outcome)
    router?.routeToOffGame(as: names, after: lastGame)
  }

  private func lastGame(with outcome: Outcome) -> LastGame? {
    guard let board = router?.currentGame?.board, let (info, setup) = game else { return nil }
    return LastGame(
      game: info, players: setup.series.players, seat: setup.seat, board: board, outcome: outcome)
  }
}

extension RootInteractor: RootPresentableListener {
  func leaveGame() {
    guard let current = router?.currentGame else { return }
    // Against the bot, it is always the person who leaves, also while the bot thinks.
    let own = game.flatMap { $0.setup.series.ownMark(at: $0.setup.seat) }
    current.end(.left, by: own ?? current.board.turn ?? .x)
  }

  func say(_ text: String) {
    gameService.say(text)
  }

  /// Clears the screen first: the events that still arrive are not needed.
  func quit() {
    workflow?.cancel()
    router?.cleanupViews()
    gameService.quit()
  }

  /// Tells the opponent, for whom a suspended player looks like one who thinks. Servers and clients
  /// of every version show a message.
  func willSuspend() {
    guard news.isInMatch, news.lostSince == nil, game?.setup.isAgainstPerson == true else { return }
    hasToldOfSuspension = true
    gameService.mention("I have suspended my game (Ctrl-Z).") {}
  }

  func didContinue() {
    guard hasToldOfSuspension else { return }
    hasToldOfSuspension = false
    owesReturn = true
    tellOfReturn()
  }

  /// Tells the opponent that the person is back, once there is a connection.
  private func tellOfReturn() {
    guard owesReturn, news.lostSince == nil else { return }
    owesReturn = false
    guard news.isInMatch else { return }
    gameService.mention("I am back.") { [weak self] in self?.owesReturn = true }
  }

  func inputDidFail(_ sentence: String) {
    listener?.rootDidFinish(ExitReport(code: .ioError, sentence: sentence))
  }
}

extension GameSetup {
  /// Whether the person here plays against a person elsewhere.
  fileprivate var isAgainstPerson: Bool {
    guard case .one(let own) = seat else { return false }
    return !series.players[own.other].isBot
  }
}
