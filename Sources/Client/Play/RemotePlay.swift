import Shared

/// Play at the other end of the link, from the connection over the login to the goodbye.
final class RemotePlay: Play {
  /// How long a goodbye is waited for.
  static let patience: Duration = .seconds(2)

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
    case loggedOut, loggedIn, quitting, closed
  }

  weak var listener: (any PlayListener)? {
    didSet { session.listener = listener }
  }
  private(set) var offers: [Offer] = []
  private let link: ServerLink
  private let session: RemoteSession
  private let games: GameRegistry
  private let timers: any Timers
  private let connectTime: ConnectTime
  /// Of the server that is played at, or was tried last.
  private var address: ServerAddress
  private var life = Life.opening
  private let subscriptions = CompositeCancellable()

  init(
    link: ServerLink, match: RemoteMatch, games: GameRegistry, scoreStream: MutableScoreStream,
    timers: any Timers, address: ServerAddress, connectTime: ConnectTime
  ) {
    self.link = link
    session = RemoteSession(link: link, match: match, games: games, scoreStream: scoreStream)
    self.games = games
    self.timers = timers
    self.address = address
    self.connectTime = connectTime
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
    guard life != .quitting, life != .closed else { return }
    life = .quitting
    guard link.isOpen else { return close(Farewell(code: .ok, sentence: nil)) }
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
    guard life == .opening else { return }
    life = .loggedOut
    listener?.playDidOpen()
  }

  private func didClose(_ failure: LinkFailure) {
    switch (life, connectTime) {
    case (.loggedOut, .atLogin):
      // A login that was under way has said so; else the next one connects again.
      break
    case (.opening, _), (.loggedOut, .atLaunch), (.loggedIn, _):
      close(failure.farewell(from: address))
    case (.quitting, _):
      close(Farewell(code: .ok, sentence: nil))
    case (.closed, _):
      break
    }
  }

  private func receive(_ event: ReceivedEvent) {
    // What still comes before the goodbye is of no use to anybody.
    if life != .quitting { session.receive(event) }
  }

  private func close(_ farewell: Farewell) {
    guard life != .closed else { return }
    life = .closed
    subscriptions.cancel()
    listener?.playDidClose(farewell)
  }
}

extension RemotePlay: LoginService {
  var fields: [LoginField] {
    [
      LoginField(.name, label: "Your name", blank: "the server picks one"),
      LoginField(.host, label: "Server", value: address.host),
      LoginField(.port, label: "Port", value: String(address.port)),
    ]
  }

  /// Whether a name is free, and good, the server has the last word on.
  func problems(with values: [String]) -> [String?] {
    [
      ServerForm.isName(values[0]) ? nil : "At most 24 characters, no quotes, and not bot.",
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
    let login = RemoteLogin(
      as: name.isEmpty ? nil : name, at: address, over: link, progress: progress
    ) { [weak self] result in
      if case .success = result, let self, life == .loggedOut { life = .loggedIn }
      answer(result)
    }
    login.begin()
    return login
  }
}

/// What goes on once somebody is logged in is the session's.
extension RemotePlay {
  var matchGame: GameInfo? { session.matchGame }
  var status: Stream<PlayStatus> { session.status }
  var invitations: Stream<[Invitation]> { session.invitations }
  var notices: Stream<String> { session.notices }

  func start(_ game: GameInfo, against opponent: Opponent) {
    session.start(game, against: opponent)
  }

  func cancelStart() { session.cancelStart() }
  func leaveMatch() { session.leaveMatch() }
  func listPlayers() { session.listPlayers() }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    session.listPlayers(answer: answer)
  }

  /// The server has counted it.
  func gameDidEnd(with outcome: Outcome) {}
}
