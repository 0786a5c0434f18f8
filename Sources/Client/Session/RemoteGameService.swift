import Shared

/// Play at the other end of the link, from the connection over the login to the goodbye.
final class RemotePlay {
  /// How long a goodbye is waited for.
  static let patience: Duration = .seconds(2)
  /// How long a lost connection is tried again where the server has not said how long it waits.
  static let usualLimit: Duration = .seconds(60)

  /// When the link is opened.
  enum ConnectTime {
    /// Before anybody is asked anything; where that fails, it is all over.
    case atLaunch
    /// With each login; one that fails can be tried again, also elsewhere.
    case atLogin
  }

  private enum Life {
    /// The link is to open before people can log in.
    case opening
    case loggedOut
    case loggedIn(Login)
    /// The connection is lost.
    case returning(Comeback)
    case quitting, closed
  }

  weak var listener: (any PlayListener)? {
    didSet { session.listener = listener }
  }
  private(set) var offers: [Offer] = []
  /// Where people log in.
  let desk: LoginDesk
  /// What goes on once somebody is.
  let session: RemoteSession
  private let link: ServerLink
  private let games: GameRegistry
  private let match: RemoteMatch
  private let timers: any Timers
  private let random: RandomSource
  private let connectTime: ConnectTime
  private let isAttended: Bool
  /// How long the server keeps a place whose connection is lost.
  private var kept = usualLimit
  private var life = Life.opening
  private let subscriptions = CompositeCancellable()

  /// `isAttended`: somebody is there, who is asked again where a session cannot be gone on with;
  /// else it is all over then.
  init(
    link: ServerLink, match: RemoteMatch, games: GameRegistry, scoreStream: MutableScoreStream,
    timers: any Timers, random: RandomSource, tokens: TokenFile, address: ServerAddress,
    connectTime: ConnectTime, isAttended: Bool = false
  ) {
    self.link = link
    session = RemoteSession(link: link, match: match, games: games, scoreStream: scoreStream)
    self.match = match
    self.games = games
    self.random = random
    self.timers = timers
    desk = LoginDesk(link: link, match: match, tokens: tokens, address: address)
    self.connectTime = connectTime
    self.isAttended = isAttended
  }

  deinit {
    subscriptions.cancel()
  }

  func open() {
    subscriptions.insert(link.state.subscribe { [weak self] in self?.linkDidChange($0) })
    subscriptions.insert(link.events.subscribe { [weak self] in self?.receive($0) })
    switch connectTime {
    case .atLaunch:
      link.connect(to: desk.address)
    case .atLogin:
      life = .loggedOut
      listener?.playDidOpen()
    }
  }

  func quit() {
    switch life {
    case .quitting, .closed: return
    case .returning(let comeback):
      // The session waits for whoever takes it up with the token.
      comeback.cancel()
      return close(Farewell(code: .ok, sentence: nil))
    case .opening, .loggedOut, .loggedIn: break
    }
    life = .quitting
    guard link.isOpen else { return close(Farewell(code: .ok, sentence: nil)) }
    desk.forget()
    link.send(.quit)
    timers.schedule(after: Self.patience) { [weak self] in
      self?.close(Farewell(code: .ok, sentence: nil))
    }
  }

  private func linkDidChange(_ state: LinkState) {
    switch state {
    case .idle, .connecting: break
    case .open(let hello): didOpen(hello)
    case .closed(let failure): didClose(failure)
    }
  }

  private func didOpen(_ hello: Hello) {
    offers = hello.games.compactMap { Offer($0, among: games) }
    // A server that keeps no place can still be come back to.
    kept = hello.limits.resumeWithin.flatMap { $0 > .zero ? $0 : nil } ?? Self.usualLimit
    if case .returning(let comeback) = life { comeback.didReachServer() }
    guard case .opening = life else { return }
    life = .loggedOut
    listener?.playDidOpen()
  }

  private func didClose(_ failure: LinkFailure) {
    switch life {
    case .loggedOut where isAttended:
      // A login that was under way has said so; else the next one connects again.
      break
    case .loggedIn(let login) where failure.retry != nil:
      comeBack(as: login, after: failure)
    case .loggedIn:
      giveUp(after: failure)
    case .opening, .loggedOut:
      close(failure.farewell(from: desk.address))
    case .quitting:
      close(Farewell(code: .ok, sentence: nil))
    case .returning, .closed:
      // On the way back a failure is only one more attempt.
      break
    }
  }

  private func comeBack(as login: Login, after failure: LinkFailure) {
    let comeback = Comeback(
      after: failure, kept: kept, within: isAttended ? nil : kept, timers: timers, random: random,
      attempt: { [weak self] answer in
        guard let self else { return CompositeCancellable() }
        match.news.connectionIsTried()
        return desk.logIn(again: login, answer: answer)
      },
      answer: { [weak self] in self?.didComeBack($0) })
    life = .returning(comeback)
    session.wishes.isOnline = false
    match.news.connectionDidEnd()
    comeback.begin()
  }

  private func didComeBack(_ result: Result<Login, LoginFailure>) {
    switch result {
    case .success(let login):
      let absence = absence
      didLogin(login)
      match.news.connectionDidReturn()
      session.didReturn(to: login.place, after: absence)
    case .failure(.link(let failure)):
      giveUp(after: failure)
    case .failure(.refused(.nameTaken, _)):
      giveUp("Somebody has the name \(desk.name) now; choose another.")
    case .failure(.refused(_, let message)):
      giveUp(message)
    }
  }

  /// How long the connection was lost, as the server sees it.
  private var absence: RemoteSession.Absence {
    let since = match.news.lostSince ?? timers.now
    return timers.now - since < kept ? .short : .tooLong
  }

  /// The session cannot be gone on with.
  private func giveUp(after failure: LinkFailure) {
    if isAttended {
      logOut(failure.refusal(from: desk.address).sentence)
    } else {
      end(with: failure.farewell(from: desk.address))
    }
  }

  private func giveUp(_ reason: String) {
    if isAttended {
      logOut(reason)
    } else {
      end(with: Farewell(code: .unavailable, sentence: reason))
    }
  }

  /// The form again, for whoever is there.
  private func logOut(_ reason: String) {
    let reasons = [session.loss(after: absence), reason].compactMap { $0 }
    desk.forget()
    life = .loggedOut
    match.news.connectionDidReturn()
    listener?.playDidLogOut(reasons.joined(separator: " "))
    session.end()
  }

  private func didLogin(_ login: Login) {
    life = .loggedIn(login)
    desk.keep(login)
  }

  /// From the form.
  func didLogInAtForm(_ login: Login) {
    if case .loggedOut = life { didLogin(login) }
  }

  /// The session is over as well.
  private func end(with farewell: Farewell) {
    desk.forget()
    close(farewell)
  }

  private func receive(_ event: ReceivedEvent) {
    // What still comes before the goodbye is of no use to anybody.
    if case .quitting = life { return }
    session.receive(event)
  }

  private func close(_ farewell: Farewell) {
    if case .closed = life { return }
    life = .closed
    subscriptions.cancel()
    listener?.playDidClose(farewell)
  }
}

/// The form is the desk's, and what goes on once somebody is logged in is the session's.
extension RemotePlay: Play {
  var fields: [LoginField] { desk.fields }
  func problems(with values: [String]) -> [String?] { desk.problems(with: values) }

  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginRefusal>) -> Void
  ) -> any Cancellable {
    desk.logIn(with: values, progress: progress) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let login):
        didLogInAtForm(login)
        answer(.success([login.name]))
        // Now somebody shows it.
        if let problem = desk.problem { session.notify(problem) }
      case .failure(.link(let failure)):
        answer(.failure(failure.refusal(from: desk.address)))
      case .failure(.refused(_, let sentence)):
        answer(.failure(LoginRefusal(sentence: sentence)))
      }
    }
  }

  var matchGame: GameInfo? { session.matchGame }
  var status: Stream<PlayStatus> { session.status }
  var invitations: Stream<[Invitation]> { session.invitations }
  var notices: Stream<String> { session.notices }
  var news: Stream<MatchNews> { session.news }

  func start(_ game: GameInfo, against opponent: Opponent) {
    session.wishes.start(game, against: opponent)
  }

  func cancelStart() { session.wishes.cancelStart() }
  func leaveMatch() { session.wishes.leaveMatch() }
  func say(_ text: String) { session.wishes.say(text) }
  func watch(_ match: String) { session.wishes.watch(match) }
  func listPlayers() { session.wishes.listPlayers() }
  func listMatches() { session.wishes.listMatches() }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    session.wishes.listPlayers(answer: answer)
  }

  func listMatches(answer: @escaping (MatchList?) -> Void) {
    session.wishes.listMatches(answer: answer)
  }

  /// The server has counted it.
  func gameDidEnd(with outcome: Outcome) {}
}
