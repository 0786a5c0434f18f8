import Shared

/// Logging in and resuming. The name may be taken, and the session may be, at another server.
extension ClientCommands {
  /// - Throws: `badName`, `nameTaken`, `wrongPassword` or `tooFast`.
  func login(name text: String?, password: String?) throws(CommandError) {
    try checkPasswordField(password, of: text)
    // Made once, because it takes most of the time of a login.
    let name = try lobby.name(from: text)
    if let lost = lobby.lostSession(of: name) { return try takeBack(lost, password) }
    try lobby.checkIsFree(name)
    guard let password, directory.keepsAccounts, !PlayerName.isBlank(text ?? "") else {
      return try takeName(name, nil, isNumbered: PlayerName.isBlank(text ?? ""))
    }
    try client.wait { _, answer throws(CommandError) in
      try directory.checkPassword(password, of: name, from: outlet.usage, answer: answer)
    } then: { check throws(CommandError) in
      if let refusal = check.refusal { throw refusal }
      try takeName(name, check)
    }
  }

  /// Resumes a session in a match whose connection is lost, with the password of its name in place
  /// of its token.
  private func takeBack(_ lost: Session, _ password: String?) throws(CommandError) {
    guard let password else { throw CommandError.passwordIsMissing }
    let name = lost.name
    try client.wait { _, answer throws(CommandError) in
      try directory.checkPassword(password, of: name, from: outlet.usage, answer: answer)
    } then: { check throws(CommandError) in
      if let refusal = check.refusal { throw refusal }
      // Its player may be back meanwhile, or its match may be over.
      guard lobby.lostSession(of: name) === lost else {
        try lobby.checkIsFree(name)
        return try takeName(name, check)
      }
      try takeBack(lost, check)
    }
  }

  private func takeBack(_ lost: Session, _ check: PasswordCheck) throws(CommandError) {
    guard let account = check.account, account == directory.account(of: lost.name) else {
      throw CommandError(.wrongPassword, field: "password")
    }
    lost.hasNewPassword = account.passwordUse == .once
    try resumeHere(lost.tokenText, after: nil)
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

  /// Takes a name at all servers, and logs in with it. Without a text of the player's own, other
  /// numbers are tried, from a range that grows: below 100, and at last below 100,000.
  private func takeName(
    _ name: PlayerName, _ check: PasswordCheck?, isNumbered: Bool = false, limit: Int = 100
  ) throws(CommandError) {
    let id = others.newSessionID()
    try client.wait { pending, answer in
      others.takeName(name, for: id) { result in
        if pending.connection == nil { others.endSession(id, of: name) }
        answer(result)
      }
    } then: { (result: Result<Void, CommandError>) throws(CommandError) in
      if case .failure(let error) = result {
        guard error.code == .nameTaken else { throw error }
        guard isNumbered else { return try findMatch(of: name, check) }
        guard limit <= 100_000 else { throw error }
        return try takeName(
          lobby.randomName(below: limit), check, isNumbered: true, limit: 10 * limit)
      }
      try loadAccount(of: name, check, id: id)
    }
  }

  /// A name that is taken may wait in a match at another server. A player who knows the password is
  /// sent there, where the login resumes the session. `check` is `nil` without a password.
  private func findMatch(of name: PlayerName, _ check: PasswordCheck?) throws(CommandError) {
    try client.wait { _, answer in
      others.findMatch(of: name, answer: answer)
    } then: { (route: Route) throws(CommandError) in
      switch route {
      case .here:
        guard let lost = lobby.lostSession(of: name) else { throw .nameTaken }
        guard let check else { throw .passwordIsMissing }
        try takeBack(lost, check)
      case .elsewhere(_, let address, _):
        guard check?.account == nil else {
          return outlet.close(with: .matchIsElsewhere(at: address))
        }
        try refuse(name, hasPassword: check != nil)
      case .refused(let error): throw error
      }
    }
  }

  /// Refuses a name that plays at another server: only a registered one has a password.
  private func refuse(_ name: PlayerName, hasPassword: Bool) throws(CommandError) {
    try client.wait { _, answer in
      directory.load(name) { error in
        guard error == nil else { return answer(false) }
        let isRegistered = directory.account(of: name) != nil
        directory.forget(name)
        answer(isRegistered)
      }
    } then: { (isRegistered: Bool) throws(CommandError) in
      guard isRegistered else { throw .nameTaken }
      throw hasPassword ? CommandError(.wrongPassword, field: "password") : .passwordIsMissing
    }
  }

  /// The name is taken, so nobody else changes its account from here on.
  private func loadAccount(
    of name: PlayerName, _ check: PasswordCheck?, id: String
  ) throws(CommandError) {
    try client.wait { pending, answer in
      directory.load(name) { error in
        // The client has gone: the answer is nobody's.
        if pending.connection == nil {
          others.endSession(id, of: name)
          if error == nil { directory.forget(name) }
        }
        answer(error)
      }
    } then: { (error: CommandError?) throws(CommandError) in
      var refusal = error
      if refusal == nil {
        do throws(CommandError) {
          return try beginSession(as: name, check, id: id)
        } catch {
          directory.forget(name)
          refusal = error
        }
      }
      others.endSession(id, of: name)
      if let refusal { throw refusal }
    }
  }

  private func beginSession(
    as name: PlayerName, _ check: PasswordCheck?, id: String
  ) throws(CommandError) {
    let session = try lobby.login(as: name, check, id: id, outlet: outlet)
    session.hasNewPassword = check?.account?.passwordUse == .once
    client.didLogIn(as: session)
    outlet.write(
      .didLogin(
        name: session.name.text, token: session.tokenText,
        registered: directory.account(of: session.name) != nil))
    lobby.greet(session)
    lobby.notify(session)
    remindOfPassword(session)
  }

  /// Asks a player whose password works only once for another one.
  private func remindOfPassword(_ session: Session) {
    guard let account = directory.account(of: session.name), account.passwordUse != .always else {
      return
    }
    let text =
      "Your password works only once. In the lobby, press p or type register, and choose another."
    session.write(.announcement(text: text, timeLeft: nil))
  }

  /// Resumes a session here, or sends the client to the server that has it.
  ///
  /// - Throws: `unknownToken` or `tooFast`.
  func resume(_ token: String, after seq: Int?) throws(CommandError) {
    guard lobby.session(withToken: token) == nil else {
      return try resumeHere(token, after: seq)
    }
    guard let (id, secret) = Session.idAndToken(in: token) else {
      throw CommandError(.unknownToken, field: "token")
    }
    try client.wait { pending, answer in
      others.find(session: id, secret) { found in
        if pending.connection == nil { others.forgetRoute(found.route, of: id, secret) }
        answer(found)
      }
    } then: { (found: (route: Route, arrival: Arrival)) throws(CommandError) in
      switch found.route {
      case .here:
        do throws(CommandError) {
          try resumeHere(token, after: seq)
        } catch {
          if !lobby.hasSession(id) { others.forgetSession(id) }
          throw error
        }
        switch found.arrival {
        case .nothing: break
        case .command(let command): try perform(command)
        case .refused(let error): throw error
        }
      case .elsewhere(_, let address, _): outlet.close(with: .moved(to: address))
      case .refused(let error): throw error
      }
    }
  }

  private func resumeHere(_ token: String, after seq: Int?) throws(CommandError) {
    let session = try lobby.resume(token, on: outlet)
    client.didLogIn(as: session)
    outlet.write(
      .didLogin(
        name: session.name.text, token: session.tokenText, place: session.place.listed,
        registered: directory.account(of: session.name) != nil))
    lobby.greet(session)
    remindOfPassword(session)
    lobby.bringUpToDate(session, after: seq)
  }
}
