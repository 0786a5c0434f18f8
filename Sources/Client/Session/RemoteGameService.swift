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
  private let accountService: RemoteAccountService
  private let link: ServerLink
  private let games: GameRegistry
  private let match: RemoteMatch
  private let timers: any Timers
  private let random: RandomSource
  private let settings: Settings
  /// How long the server keeps the session of a disconnected player.
  private var resumeTime = defaultResumeTime
  /// Whether the server was down since the connection was lost.
  private var hasServerStopped = false
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
    timers = link.timers
    let authenticator = Authenticator(
      link: link, match: match, tokens: tokens, settings: settings)
    self.authenticator = authenticator
    session = RemoteSession(
      link: link, match: match, games: games, scoreStream: scoreStream,
      friendLine: settings.friendLine, address: { [unowned authenticator] in authenticator.address }
    )
    accountService = RemoteAccountService(session: session, authenticator: authenticator)
  }

  deinit { subscriptions.cancel() }

  private var isAttended: Bool { settings.isAttended }

  var loginService: any LoginService { self }
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

  func mention(_ text: String) { session.commands.mention(text) }

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
    resumeTime =
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
    hasServerStopped = false
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
      close(failure.exitReport(from: authenticator.address))
    case .quitting:
      close(ExitReport(code: .ok))
    case .moving:
      // The reconnector tries again.
      moveDidFail()
    case .reconnecting:
      match.news.didNotReconnect(because: failure)
      // Another server of several has stopped, but the person's has not.
      if failure.showsStop, link.address == authenticator.address { hasServerStopped = true }
    case .closed:
      break
    }
  }

  private func reconnector(for login: Login, after failure: LinkError) -> Reconnector {
    Reconnector(
      after: failure,
      patience: Reconnector.Patience(
        ghostTime: ghostTime, isOwnName: authenticator.ownsName,
        strangerTime: isAttended ? Reconnector.strangerTime : resumeTime,
        timeout: isAttended ? nil : resumeTime + Reconnector.detectionDelay),
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

  /// See `Reconnector`. A script waits until its session is certainly over, a player for as long as
  /// the server may take to notice a loss: the match is worth it.
  private var ghostTime: Duration {
    guard isAttended else { return resumeTime + Reconnector.detectionDelay }
    return session.isInMatch ? Reconnector.detectionDelay : Self.ghostTimeInLobby
  }

  private func reconnect(as login: Login, after failure: LinkError) {
    let reconnector = reconnector(for: login, after: failure)
    state = .reconnecting(reconnector)
    hasServerStopped = failure.showsStop
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
        code, sentence, mayBeInOwnWay: mayBeInOwnWay, afterRestart: hasServerStopped,
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
    if let server = link.address { match.news.sessionDidMove(to: server) }
    session.didMove(to: login.place)
    session.connectionDidReturn()
  }

  /// How the connection was lost, as far as this client can know.
  private var absence: RemoteSession.Absence {
    let since = match.news.lostSince ?? timers.now
    guard timers.now - since < resumeTime else { return .tooLong }
    return hasServerStopped ? .restart : .short
  }

  /// The session cannot continue here. See `logOut`.
  private func giveUp(after failure: LinkError, mayGoOn: Bool) {
    if isAttended {
      logOut(failure.formError(at: authenticator.address), mayGoOn: mayGoOn)
    } else {
      end(with: failure.exitReport(from: authenticator.address), mayGoOn: mayGoOn)
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
  /// next login under its name resumes it.
  private func logOut(_ reason: LoginFormError, mayGoOn: Bool) {
    let loss = session.loss(after: mayGoOn ? .unknown : absence)
    let sentences = [loss, reason.sentence].compactMap { $0 }
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

extension RemoteGameService: LoginService {
  var fields: [LoginField] { authenticator.fields }

  func problems(with values: [String]) -> [String?] { authenticator.problems(with: values) }

  func login(
    with values: [String], password: String?, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable {
    let answer: LoginAttempt.Answer = { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let login):
        if case .loggedOut = state { didLogin(login) }
        link.sendWaiting()
        if let server = authenticator.node { match.news.sessionDidMove(to: server) }
        answer(.success([login.name]))
        // Only now there is a view that can show it.
        if let problem = authenticator.problem { session.notify(problem) }
      case .failure(let error):
        let shown = authenticator.formError(
          of: error, with: values, password: password, canAsk: isAttended)
        answer(.failure(shown))
      }
    }
    // Somebody who types a password sees the refusal, and tries again.
    guard isAttended, password == nil, authenticator.keepsSession(for: values) else {
      return authenticator.logIn(
        with: values, password: password, progress: { progress(LoginProgress(step: $0)) },
        answer: answer)
    }
    let login = KeptSessionLogin(
      over: link, sentence: { [authenticator] in authenticator.sentence(about: $0) },
      attempt: { [authenticator] in
        authenticator.logIn(with: values, password: nil, progress: $0, answer: $1)
      }, progress: progress, answer: answer)
    login.begin(timers: timers, random: random)
    return login
  }
}
