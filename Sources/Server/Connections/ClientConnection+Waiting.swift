import Shared

/// The commands whose answers may come later.
extension ClientConnection {
  private var directory: any Directory { lobby.directory }

  /// - Throws: `badName`, `nameTaken`, `wrongPassword` or `tooFast`.
  func login(name text: String?, password: String?) throws(CommandError) {
    try checkPasswordField(password, of: text)
    let name = try lobby.freeName(text)
    guard let password, directory.keepsAccounts, !PlayerName.isBlank(text ?? "") else {
      return try logIn(as: name, nil, isNumbered: PlayerName.isBlank(text ?? ""))
    }
    try wait { [self] _, answer throws(CommandError) in
      try directory.checkPassword(password, of: name, from: usage, answer: answer)
    } then: { [unowned self] check throws(CommandError) in
      if let refusal = check.refusal { throw refusal }
      try logIn(as: name, check)
    }
  }

  private func logIn(
    as name: PlayerName, _ check: PasswordCheck?, isNumbered: Bool = false
  ) throws(CommandError) {
    guard let cluster = lobby.cluster else { return try login(as: name, check) }
    try login(as: name, check, isNumbered: isNumbered, in: cluster)
  }

  /// A password that nobody can have is a bad field; but for the name of a guest it is ignored.
  ///
  /// - Throws: `badField`.
  private func checkPasswordField(_ password: String?, of text: String?) throws(CommandError) {
    guard let password, !Command.isPassword(password), let text,
      let name = try? PlayerName(text), directory.account(of: name) != nil
    else { return }
    throw CommandError(
      .badField, field: "password", CommandType.register.badField("password")?.message)
  }

  /// Begins a session. `id` is that of the session in a cluster.
  func login(
    as name: PlayerName, _ check: PasswordCheck?, id: String = ""
  ) throws(CommandError) {
    let session = try lobby.login(as: name, check, id: id, connection: self)
    if let account = check?.account, account.passwordUse == .once {
      directory.spendPassword(of: account)
    }
    didLogIn(as: session)
    write(
      .didLogin(
        name: session.name.text, token: session.tokenText,
        registered: directory.account(of: session.name) != nil))
    lobby.greet(session)
    remindOfPassword()
  }

  /// Asks a player whose password works only once for another one.
  private func remindOfPassword() {
    guard let session, let account = directory.account(of: session.name),
      account.passwordUse != .always
    else { return }
    let text =
      "The operator has set your password, and it does not work again."
      + " Choose your own before you leave: register NEW OLD, where OLD is this one."
    session.write(.announcement(text: text, timeLeft: nil))
  }

  /// - Throws: `unknownToken` or `tooFast`.
  func resume(_ token: String, after seq: Int?) throws(CommandError) {
    guard let cluster = lobby.cluster, lobby.session(withToken: token) == nil else {
      return try resumeHere(token, after: seq)
    }
    try resume(token, after: seq, in: cluster)
  }

  func resumeHere(_ token: String, after seq: Int?) throws(CommandError) {
    let session = try lobby.resume(token, on: self)
    didLogIn(as: session)
    write(
      .didLogin(
        name: session.name.text, token: session.tokenText, place: session.place.listed,
        registered: directory.account(of: session.name) != nil))
    lobby.greet(session)
    remindOfPassword()
    lobby.bringUpToDate(session, after: seq)
  }

  /// - Throws: the code of the session's place, or of the request.
  func start(opponent: String?, game: String?, level: BotLevel?) throws(CommandError) {
    guard let cluster = lobby.cluster, case .lobby = session?.place else {
      return try startHere(opponent: opponent, game: game, level: level)
    }
    guard let opponent, lobby.mayBeElsewhere(opponent) else {
      try startHere(opponent: opponent, game: game, level: level)
      if opponent == nil, let request = session?.request { try offer(request, in: cluster) }
      return
    }
    if let game { _ = try lobby.game(game) }
    try route(.start(opponent: opponent, game: game, level: level)) {
      cluster.sessions.find(player: opponent, answer: $0)
    } here: { [unowned self] () throws(CommandError) in
      try startHere(opponent: opponent, game: game, level: level)
    }
  }

  private func startHere(
    opponent: String?, game: String?, level: BotLevel?
  ) throws(CommandError) {
    let session = try loggedIn()
    switch session.place {
    case .lobby: try lobby.start(by: session, opponent: opponent, game: game, level: level)
    case .waiting: throw CommandError(.alreadyWaiting)
    case .playing(let match):
      try match.start(by: session, opponent: opponent, game: game, level: level)
    case .watching: throw CommandError(.spectator)
    }
  }

  /// - Throws: `unavailable`, `full`, `notLoggedIn`, `badName`, `wrongPassword` or `tooFast`.
  func register(password: String, old: String?) throws(CommandError) {
    try checkKeepsAccounts()
    guard directory.hasRoom else { throw .noRoom }
    let session = try loggedIn()
    try wait {
      [self] (pending, answer: @escaping (Result<Void, CommandError>) -> Void) throws(CommandError)
      in
      try directory.register(
        session.name, password: password, old: old, from: usage,
        isCurrent: { pending.connection?.session === session }, answer: answer)
    } then: { [unowned self] result throws(CommandError) in
      try result.get()
      serverLog.accountDidChange("registered", session)
      write(.didRegister(name: session.name.text))
    }
  }

  /// - Throws: `unavailable`, `notLoggedIn`, `wrongPassword` or `tooFast`.
  func unregister(password: String) throws(CommandError) {
    try checkKeepsAccounts()
    let session = try loggedIn()
    try wait {
      [self] (pending, answer: @escaping (Result<Void, CommandError>) -> Void) throws(CommandError)
      in
      try directory.unregister(
        session.name, password: password, from: usage,
        isCurrent: { pending.connection?.session === session },
        willRemove: { if case .playing(let match) = session.place { match.accountWillEnd() } },
        answer: answer)
    } then: { [unowned self] result throws(CommandError) in
      try result.get()
      serverLog.accountDidChange("unregistered", session)
      write(.didUnregister(name: session.name.text))
    }
  }

  /// - Throws: `unavailable` or `notLoggedIn`.
  func readHistory(of player: String?, before: Int?) throws(CommandError) {
    try checkKeepsAccounts()
    _ = try loggedIn()
    try wait { [self] _, answer in
      directory.history(of: player, before: before, for: usage, answer: answer)
    } then: { [unowned self] (result: Result<HistoryPage, CommandError>) throws(CommandError) in
      write(.history(try result.get()))
    }
  }

  /// - Throws: `unavailable`, `notLoggedIn` or `unknownGame`.
  func readLeaderboard(of id: String?) throws(CommandError) {
    try checkKeepsAccounts()
    _ = try loggedIn()
    let game = try lobby.game(id).info.id
    try wait { [self] _, answer in
      directory.leaderboard(of: game, for: usage, answer: answer)
    } then: { [unowned self] (result: Result<Leaderboard, CommandError>) throws(CommandError) in
      write(.leaderboard(try result.get()))
    }
  }

  /// - Throws: `unavailable`, `notLoggedIn`, the code of the session's place, or `unknownMatch`.
  func replay(_ match: String, after seq: Int?) throws(CommandError) {
    try checkKeepsAccounts()
    try checkIsInLobby(try loggedIn())
    try wait { [self] _, answer in
      directory.replay(of: match, after: seq ?? 0, for: usage, answer: answer)
    } then: { [unowned self] (result: Result<StoredReplay, CommandError>) throws(CommandError) in
      let replay = try result.get()
      write(.replayDidStart(replay.header))
      let lines = replay.lines.span
      var start = 0
      for index in lines.indices where lines[index] == UInt8(ascii: "\n") {
        write(line: lines.extracting(start..<index + 1), you: nil)
        start = index + 1
      }
      write(.replayDidEnd(match: match, next: replay.next))
    }
  }

  private func checkKeepsAccounts() throws(CommandError) {
    guard directory.keepsAccounts else { throw CommandError(.unavailable) }
  }
}

extension ServerLog {
  fileprivate func accountDidChange(_ event: StaticString, _ session: Session) {
    if session.isLogged { log.write(.info, event, ["session": .text(session.name.text)]) }
  }
}
