import Shared

/// Play at the other end of the link, from the connection over the login to the goodbye.
final class RemotePlay: Play {
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
  private let link: ServerLink
  private let session: RemoteSession
  private let games: GameRegistry
  private let match: RemoteMatch
  private let timers: any Timers
  private let random: RandomSource
  private let tokens: TokenFile
  private let connectTime: ConnectTime
  private let isAttended: Bool
  /// How long the server keeps a place whose connection is lost.
  private var kept = usualLimit
  /// Of the server that is played at, or was tried last.
  private var address: ServerAddress
  /// The last name here, to be logged in under again.
  private var lastName = ""
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
    self.tokens = tokens
    self.timers = timers
    self.address = address
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
      link.connect(to: address)
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
    tokens.discard()
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
    offers = hello.games.compactMap { listed in
      guard
        let shape = BoardShape(rows: listed.rows, columns: listed.columns, inARow: listed.inARow)
      else { return nil }
      return Offer(
        game: GameInfo(id: listed.id, name: listed.name, shape: shape),
        isPlayable: games[listed.id] != nil)
    }
    // A server that keeps no place can still be come back to.
    kept = hello.limits.resumeWithin.flatMap { $0 > .zero ? $0 : nil } ?? Self.usualLimit
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
      close(failure.farewell(from: address))
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
        return logIn(as: login.name, token: login.token, answer: answer)
      },
      answer: { [weak self] in self?.didComeBack($0) })
    life = .returning(comeback)
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
      giveUp("Somebody has the name \(lastName) now; choose another.")
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
      logOut(failure.refusal(from: address).sentence)
    } else {
      end(with: failure.farewell(from: address))
    }
  }

  private func giveUp(_ reason: String) {
    if isAttended {
      logOut(reason)
    } else {
      end(with: LinkFailure.bye(.quit, reason).farewell(from: address))
    }
  }

  /// The form again, for whoever is there.
  private func logOut(_ reason: String) {
    let reasons = [session.loss(after: absence), reason].compactMap { $0 }
    tokens.discard()
    life = .loggedOut
    match.news.connectionDidReturn()
    listener?.playDidLogOut(reasons.joined(separator: " "))
    session.end()
  }

  private func didLogin(_ login: Login) {
    life = .loggedIn(login)
    lastName = login.name
    guard let token = login.token else { return }
    tokens.keep(token, for: TokenFile.Owner(address: address, name: login.name))
  }

  /// The session is over as well.
  private func end(with farewell: Farewell) {
    tokens.discard()
    close(farewell)
  }

  private func logIn(
    as name: String?, token: String?, progress: @escaping (String) -> Void = { _ in },
    answer: @escaping RemoteLogin.Answer
  ) -> any Cancellable {
    let kept = token.map { RemoteLogin.KeptSession(token: $0, seq: match.last?.seq) }
    let login = RemoteLogin(
      as: name, kept: kept, at: address, over: link, progress: progress, answer: answer)
    login.begin()
    return login
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

extension RemotePlay: LoginService {
  var fields: [LoginField] {
    [
      LoginField(.name, label: "Your name", blank: "the server picks one", value: lastName),
      LoginField(.host, label: "Server", value: address.host),
      LoginField(.port, label: "Port", value: String(address.port)),
    ]
  }

  /// Whether a name is free, and good, the server has the last word on.
  func problems(with values: [String]) -> [String?] {
    [
      ServerForm.problem(ofName: values[0]),
      values[1].trimmed.isEmpty ? "The server's name or address is needed." : nil,
      ServerForm.port(values[2]) == nil ? "A port is a number from 1 to 65535." : nil,
    ]
  }

  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginRefusal>) -> Void
  ) -> any Cancellable {
    let name = values[0].trimmed
    address = ServerAddress(
      host: values[1].trimmed, port: ServerForm.port(values[2]) ?? address.port)
    let token =
      name.isEmpty ? nil : tokens.take(for: TokenFile.Owner(address: address, name: name))
    return logIn(as: name.isEmpty ? nil : name, token: token, progress: progress) {
      [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let login):
        if case .loggedOut = life { didLogin(login) }
        answer(.success([login.name]))
      case .failure(.link(let failure)):
        answer(.failure(failure.refusal(from: address)))
      case .failure(.refused(_, let sentence)):
        answer(.failure(LoginRefusal(sentence: sentence)))
      }
    }
  }
}

/// What goes on once somebody is logged in is the session's.
extension RemotePlay {
  var matchGame: GameInfo? { session.matchGame }
  var status: Stream<PlayStatus> { session.status }
  var invitations: Stream<[Invitation]> { session.invitations }
  var notices: Stream<String> { session.notices }
  var news: Stream<MatchNews> { match.news.stream }

  func start(_ game: GameInfo, against opponent: Opponent) {
    session.start(game, against: opponent)
  }

  func cancelStart() { session.cancelStart() }
  func leaveMatch() { session.leaveMatch() }
  func say(_ text: String) { session.say(text) }
  func watch(_ match: String) { session.watch(match) }
  func listPlayers() { session.listPlayers() }
  func listMatches() { session.listMatches() }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    session.listPlayers(answer: answer)
  }

  func listMatches(answer: @escaping (MatchList?) -> Void) {
    session.listMatches(answer: answer)
  }

  /// The server has counted it.
  func gameDidEnd(with outcome: Outcome) {}
}
