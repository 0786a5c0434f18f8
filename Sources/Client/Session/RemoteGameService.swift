import RIBs
import Shared

/// Runs games on a server, from the connection and the login to the `bye`.
final class RemoteGameService: GameService {
  private enum State {
    /// Connecting before people can log in.
    case opening
    case loggedOut
    case loggedIn(Login)
    /// The connection is lost.
    case reconnecting(Reconnector)
    /// The session moves to another server, where the reconnector resumes it. When the timer fires,
    /// the person sees that. `quits` is whether the session ends then.
    case moving(Reconnector, LoopTimer, quits: Bool)
    /// With the login of the session, if there is one.
    case quitting(Login?)
    case closed
  }

  weak var delegate: (any GameServiceDelegate)? {
    didSet { session.delegate = delegate }
  }
  private let authenticator: Authenticator
  private let session: RemoteSession
  private let remoteLoginService: RemoteLoginService
  private let accountService: RemoteAccountService
  private let link: ServerLink
  private let games: GameRegistry
  private let match: RemoteMatch
  private let timers: any Timers
  private let random: RandomSource
  private let settings: Settings
  private var outage: Outage
  private var damage = SlidingWindow.damage
  private var state = State.opening
  private let subscriptions = CompositeCancellable()

  init(
    link: ServerLink, match: RemoteMatch, games: GameRegistry, scoreStream: MutableScoreStream,
    random: RandomSource, tokens: any TokenStore, settings: Settings
  ) {
    self.link = link
    self.match = match
    self.games = games
    self.random = random
    self.settings = settings
    outage = Outage(isAttended: settings.isAttended)
    timers = link.timers
    let authenticator = Authenticator(
      link: link, match: match, tokens: tokens, settings: settings)
    self.authenticator = authenticator
    session = RemoteSession(
      link: link, match: match, games: games, scoreStream: scoreStream,
      friendLine: settings.friendLine, address: { [unowned authenticator] in authenticator.address }
    )
    remoteLoginService = RemoteLoginService(
      authenticator: authenticator, session: session, link: link, match: match, random: random,
      isAttended: settings.isAttended)
    accountService = RemoteAccountService(session: session, authenticator: authenticator)
    remoteLoginService.onLogin = { [weak self] login in
      if let self, case .loggedOut = state { didLogin(login) }
    }
  }

  deinit { subscriptions.cancel() }

  private var isAttended: Bool { settings.isAttended }

  var loginService: any LoginService { remoteLoginService }
  var lobby: any GameLobby { session }
  var accounts: (any AccountService)? { accountService }
  var finishedGames: (any FinishedGames)? { session }
  var news: Stream<MatchNews> { match.news.stream }

  func open() {
    subscriptions.insert(link.state.subscribe { [weak self] in self?.linkDidChange($0) })
    subscriptions.insert(link.events.subscribe { [weak self] in self?.receive($0) })
    switch settings.connectTime {
    case .atLaunch:
      link.connect(to: authenticator.address)
    case .atLogin:
      state = .loggedOut
      delegate?.gameServiceDidOpen()
    }
  }

  func say(_ text: String) { session.commands.say(text) }

  func mention(_ text: String, onLoss: @escaping () -> Void) {
    session.commands.mention(text, onLoss: onLoss)
  }

  /// The server has already counted the game.
  func gameDidEnd(with outcome: Outcome) {}

  func quit() {
    switch state {
    case .quitting, .closed: return
    case .reconnecting(let reconnector):
      // The session stays on the server. The next run of this program can resume it.
      reconnector.cancel()
      return close(ExitReport(code: .ok))
    case .moving(let reconnector, let timer, _):
      state = .moving(reconnector, timer, quits: true)
      return closeLater()
    case .opening, .loggedOut: state = .quitting(nil)
    case .loggedIn(let login): state = .quitting(login)
    }
    guard link.isOpen else { return close(ExitReport(code: .ok)) }
    authenticator.forget()
    link.send(.quit)
    closeLater()
  }

  private func closeLater() {
    timers.schedule(after: Self.quitTimeout) { [weak self] in
      self?.close(ExitReport(code: .ok))
    }
  }

  private func linkDidChange(_ linkState: LinkState) {
    switch linkState {
    case .idle, .connecting: break
    case .moved(let server): didMove(to: server)
    case .open(let hello): didOpen(hello)
    case .closed(let failure): didClose(failure)
    }
  }

  private func didOpen(_ hello: Hello) {
    session.offers = hello.games.compactMap { Offer($0, among: games) }
    session.invitationList.standsWithin = hello.limits.inviteWithin
    // A server that keeps no sessions still accepts a new login.
    outage.resumeTime =
      hello.limits.resumeWithin.flatMap { $0 > .zero ? $0 : nil } ?? Self.defaultResumeTime
    switch state {
    case .reconnecting(let reconnector), .moving(let reconnector, _, _):
      reconnector.didReachServer()
    case .opening:
      state = .loggedOut
      delegate?.gameServiceDidOpen()
    case .loggedOut, .loggedIn, .quitting, .closed:
      break
    }
  }

  private func didMove(to server: ServerAddress) {
    authenticator.didMove(to: server)
    switch state {
    case .loggedIn(let login): move(login)
    case .quitting(let login?): move(login, quits: true)
    case .quitting(nil): close(ExitReport(code: .ok))
    // A login that is under way continues there.
    case .opening, .loggedOut, .reconnecting, .moving, .closed: break
    }
  }

  /// Resumes the session on the connection to the server to which it moves.
  private func move(_ login: Login, quits: Bool = false) {
    let reconnector = reconnector(for: login, after: .lost)
    outage.hasServerStopped = false
    reconnector.beginMove()
    let timer = timers.schedule(after: Self.maxMoveTime) { [weak self] in
      self?.match.news.connectionDidEnd()
    }
    state = .moving(reconnector, timer, quits: quits)
  }

  /// The attempt to move has failed: from now on, the connection is lost.
  private func moveDidFail() {
    guard case .moving(let reconnector, let timer, let quits) = state else { return }
    timer.cancel()
    state = .reconnecting(reconnector)
    session.connectionDidEnd()
    match.news.connectionDidEnd()
    link.failWaiting()
    if quits { quit() }
  }

  private func didClose(_ failure: LinkError) {
    switch state {
    case .loggedOut where isAttended:
      // The current login has failed and has shown the reason. The next login connects again.
      break
    case .loggedIn(let login) where failure.retry != nil:
      reconnect(as: login, after: failure)
    case .loggedIn(let login) where failure.isDamage && damage.allows(at: timers.now):
      reconnect(as: login, after: .lost)
    case .loggedIn:
      giveUp(after: failure, mayGoOn: failure.isDamage || failure.needsNewPassword)
    case .opening, .loggedOut:
      close(failure.exitReport(from: authenticator.shownAddress))
    case .quitting:
      close(ExitReport(code: .ok))
    case .moving:
      // The reconnector tries again.
      moveDidFail()
    case .reconnecting:
      match.news.didNotReconnect(because: failure)
      // Another server of several has stopped, but the person's has not.
      if failure.showsStop, link.address == authenticator.address {
        outage.hasServerStopped = true
      }
    case .closed:
      break
    }
  }

  private func reconnector(for login: Login, after failure: LinkError) -> Reconnector {
    Reconnector(
      after: failure,
      patience: outage.patience(
        isInMatch: session.isInMatch, ownsName: authenticator.ownsName),
      timers: timers, random: random,
      attempt: { [weak self] answer in
        guard let self else { return CompositeCancellable() }
        // Only the first attempt of a move is made before the state changes.
        moveDidFail()
        match.news.didTryToReconnect()
        if link.isOpen, case .reconnecting(let reconnector) = state {
          reconnector.didReachServer()
        }
        return authenticator.logIn(again: login) { [weak self] result in
          guard let self, case .reconnecting(let reconnector) = state else {
            return answer(result)
          }
          answer(reconnector.sparingSession(result))
        }
      },
      answer: { [weak self] in self?.didReconnect($0) })
  }

  private func reconnect(as login: Login, after failure: LinkError) {
    let reconnector = reconnector(for: login, after: failure)
    state = .reconnecting(reconnector)
    outage.hasServerStopped = failure.showsStop
    session.connectionDidEnd()
    match.news.connectionDidEnd()
    reconnector.begin()
  }

  private func didReconnect(_ result: Result<Login, LoginError>) {
    switch result {
    case .success(let login):
      if case .moving(_, let timer, let quits) = state {
        timer.cancel()
        return didMove(login, quits: quits)
      }
      let absence = absence
      didLogin(login)
      match.news.connectionDidReturn()
      session.didReturn(to: login.place, ofFormer: login.isFormer, after: absence)
      link.sendWaiting()
      session.connectionDidReturn()
      if let problem = authenticator.problem { session.notify(problem) }
    case .failure(let error):
      moveDidFail()
      // A person who has quit meanwhile has no further interest.
      if case .closed = state { return }
      giveUp(after: error)
    }
  }

  private func giveUp(after error: LoginError) {
    switch error {
    case .link(let failure):
      giveUp(after: failure, mayGoOn: failure.saysNothingOfSession)
    case .refused(let code, let sentence):
      let reason = authenticator.returnError(
        code, sentence, mayBeInOwnWay: mayBeInOwnWay, afterRestart: outage.hasServerStopped,
        canAsk: isAttended)
      giveUp(reason, mayGoOn: authenticator.mayGoOn(code, mayBeInOwnWay: mayBeInOwnWay))
    }
  }

  private var mayBeInOwnWay: Bool {
    if case .reconnecting(let reconnector) = state { reconnector.mayBeInOwnWay } else { false }
  }

  private func didMove(_ login: Login, quits: Bool) {
    didLogin(login)
    if quits { return quit() }
    match.news.connectionDidReturn()
    if let server = link.address, authenticator.shownAddress != nil {
      match.news.sessionDidMove(to: server)
    }
    session.didMove(to: login.place)
    session.connectionDidReturn()
  }

  private var absence: RemoteSession.Absence {
    outage.absence(for: match.news.lostSince.map { timers.now - $0 } ?? .zero)
  }

  /// The session cannot continue here. See `logOut`.
  private func giveUp(after failure: LinkError, mayGoOn: Bool) {
    if isAttended {
      logOut(
        failure.formError(at: authenticator.shownAddress), mayGoOn: mayGoOn,
        absence: failure.isTakenOver ? .elsewhere : nil)
    } else {
      end(with: failure.exitReport(from: authenticator.shownAddress), mayGoOn: mayGoOn)
    }
  }

  private func giveUp(_ reason: LoginFormError, mayGoOn: Bool) {
    if isAttended {
      logOut(reason, mayGoOn: mayGoOn)
    } else {
      end(with: ExitReport(code: .unavailable, sentence: reason.sentence), mayGoOn: mayGoOn)
    }
  }

  /// Shows the form again. `mayGoOn` is whether the server may still have the session, so that the
  /// next login under its name resumes it. `absence` is given where the reason says it.
  private func logOut(
    _ reason: LoginFormError, mayGoOn: Bool, absence known: RemoteSession.Absence? = nil
  ) {
    let loss = session.loss(after: known ?? (mayGoOn ? .unknown : absence))
    // “There” needs what it refers to.
    let sentences = (known == nil ? [loss, reason.sentence] : [reason.sentence, loss])
      .compactMap { $0 }
    if !mayGoOn { authenticator.didLoseSession() }
    state = .loggedOut
    match.news.connectionDidReturn()
    delegate?.gameServiceDidLogOut(
      LoginFormError(
        sentence: sentences.joined(separator: " "), needsPassword: reason.needsPassword))
    session.end()
  }

  private func didLogin(_ login: Login) {
    state = .loggedIn(login)
    session.commands.isOnline = true
    authenticator.keep(login)
    accountService.didLogin(login)
  }

  /// Ends the service, and the session unless it may go on at the server.
  private func end(with report: ExitReport, mayGoOn: Bool) {
    if !mayGoOn { authenticator.didLoseSession() }
    close(report)
  }

  private func receive(_ event: ReceivedEvent) {
    // The events that arrive before `bye` are not needed.
    if case .quitting = state { return }
    session.receive(event)
  }

  private func close(_ report: ExitReport) {
    if case .closed = state { return }
    if case .moving(let reconnector, let timer, _) = state {
      timer.cancel()
      reconnector.cancel()
    }
    state = .closed
    subscriptions.cancel()
    delegate?.gameServiceDidClose(report)
  }
}
