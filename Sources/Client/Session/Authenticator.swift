import RIBs
import Shared

/// Logs in to a server. It holds the form's values and the token for the next login. Owned by
/// `RemoteGameService`.
final class Authenticator {
  /// The server of the last login, or of the last attempt, as the person gave it.
  private(set) var address: ServerAddress
  /// The server to which the session has moved from there; `nil` if it has not.
  private(set) var node: ServerAddress?
  /// The name of the last login; blank before the first one.
  private(set) var name = ""
  private let link: ServerLink
  private let match: RemoteMatch
  private let tokens: any TokenStore
  private let settings: RemoteGameService.Settings
  /// The password of the session's name, for a login after the session was lost. It is never
  /// written anywhere.
  private var password: String?
  /// A password that may be that of the name: the reply to its `register` was lost.
  private var doubtfulPassword: String?
  /// Whether the name was registered in a session of this program. A server that has lost its data
  /// does not know that, until it has them back.
  private(set) var ownsName = false
  /// The token of an earlier session under the name, with a match that the server did not know any
  /// more; `nil` if there is none. A server that has its data back knows both again.
  private var formerToken: String?
  /// Whether this program has lost that match, and not an earlier run of it.
  private var hasLostFormer = false

  init(
    link: ServerLink, match: RemoteMatch, tokens: any TokenStore,
    settings: RemoteGameService.Settings
  ) {
    self.settings = settings
    self.link = link
    self.match = match
    self.tokens = tokens
    address = settings.address
  }

  /// The password in the file of a script; `nil` without a file.
  var filePassword: String? { settings.filePassword }

  /// The address for sentences; `nil` if the person has not chosen the server.
  var shownAddress: ServerAddress? { settings.isAddressFixed ? nil : address }

  var fields: [LoginField] {
    let name = LoginField(
      .name, label: "Your name", blank: "the server picks one", value: name)
    guard !settings.isAddressFixed else { return [name] }
    return [
      name,
      LoginField(.host, label: "Server", value: address.host),
      LoginField(.port, label: "Port", value: String(address.port)),
    ]
  }

  /// Returns the problems that the client can detect. Only the server knows whether a name is free.
  func problems(with values: [String]) -> [String?] {
    let problem = PlayerName.problem(with: values[0])
    guard !settings.isAddressFixed else { return [problem] }
    return [
      problem,
      values[1].trimmed.isEmpty ? "Enter the server's name or address." : nil,
      Self.port(values[2]) == nil ? "A port is a number from 1 to 65535." : nil,
    ]
  }

  /// Whether a session of an earlier run is kept under the name in the form.
  func keepsSession(for values: [String]) -> Bool {
    let owner = TokenOwner(address: chosenAddress(in: values), name: values[0].trimmed)
    return !owner.name.isEmpty && tokens.take(for: owner) != nil
  }

  /// Logs in with the form's values. If the token of a client that was killed is on disk, resumes
  /// its session.
  func logIn(
    with values: [String], password: String?, progress: @escaping (String) -> Void,
    answer: @escaping LoginAttempt.Answer
  ) -> any Cancellable {
    let name = values[0].trimmed
    let chosen = chosenAddress(in: values)
    // A token never goes to another server.
    if chosen != address || name != self.name {
      formerToken = nil
      hasLostFormer = false
      doubtfulPassword = nil
    }
    // A connection that has moved before the login is used.
    if chosen != address || link.target != node { node = nil }
    address = chosen
    let token =
      name.isEmpty ? nil : tokens.take(for: TokenOwner(address: address, name: name))
    // A session after the one with a match has nothing that is worth remembering.
    let former = token == nil ? nil : tokens.former
    if let former { formerToken = former }
    self.password = password
    return logIn(
      as: name.isEmpty ? nil : name, token: token, at: node ?? address, progress: progress
    ) { [weak self] result in
      self?.keepFormer(former == nil ? token : nil, after: result)
      answer(result)
    }
  }

  private func chosenAddress(in values: [String]) -> ServerAddress {
    guard !settings.isAddressFixed else { return address }
    return ServerAddress(
      host: values[1].trimmed, port: Self.port(values[2]) ?? address.port,
      usesTLS: address.usesTLS)
  }

  /// Resumes the session of an earlier login on a new connection: the one that is being made, or
  /// else, in turn, to the server that the person gave and to the one to which the session has
  /// moved.
  func logIn(again login: Login, answer: @escaping LoginAttempt.Answer) -> any Cancellable {
    let other = link.address == address ? node ?? address : address
    let token = match.last == nil ? nil : login.token
    return logIn(
      as: login.name, token: login.token, at: link.target ?? other, progress: { _ in }
    ) { [weak self] result in
      self?.keepFormer(token, after: result)
      self?.hasLostFormer = self?.formerToken != nil
      guard case .failure(.link(.notOurServer)) = result, let self, link.address != address else {
        return answer(result)
      }
      // The server that the person gave still is one.
      answer(.failure(.link(.lost)))
    }
  }

  /// Remembers the token of a session with a match, in place of which a new session has begun,
  /// whose name another one has, or at whose port another program answers.
  private func keepFormer(_ token: String?, after result: Result<Login, LoginError>) {
    switch result {
    case .success(let login) where login.place != nil: formerToken = nil
    case .success, .failure(.refused), .failure(.link(.notOurServer)):
      if let token { formerToken = token }
    case .failure(.link): break
    }
  }

  /// The server has moved the session to another one.
  func didMove(to server: ServerAddress) {
    node = server == address ? nil : server
  }

  /// Remembers the name, and writes the token to disk.
  func keep(_ login: Login) {
    ownsName = login.isRegistered || ownsName && login.name == name
    name = login.name
    if let server = link.address { didMove(to: server) }
    if !ownsName { password = nil }
    guard let token = login.token else { return }
    tokens.keep(token, former: formerToken, for: TokenOwner(address: address, name: login.name))
  }

  /// A sentence that says why the token is not on disk; `nil` if it is, or if that is normal.
  var problem: String? { tokens.problem }

  /// The reply to the command that sets a password was lost, so it may be set.
  func mayHaveChangedPassword(to password: String) {
    doubtfulPassword = password
  }

  /// Remembers the new password of the session's name; `nil` if the name has none now.
  func didChangePassword(to password: String?) {
    self.password = password
    doubtfulPassword = nil
    ownsName = password != nil
  }

  /// Returns a sentence that says why a login has failed that is tried again.
  func sentence(about error: LoginError) -> String {
    switch error {
    case .link(let failure): failure.description(of: shownAddress)
    case .refused(_, let sentence): sentence
    }
  }

  /// Returns what the form shows after a login with these values has failed. `canAsk` is whether a
  /// person is there to type a password.
  func formError(
    of error: LoginError, with values: [String], password: String?, canAsk: Bool
  ) -> LoginFormError {
    switch error {
    case .link(let failure): failure.formError(at: shownAddress)
    case .refused(.wrongPassword, let sentence):
      passwordError(sentence, with: values, password: password, canAsk: canAsk)
    case .refused(.nameTaken, let sentence) where tokens.isHeldElsewhere:
      LoginFormError(
        sentence: "\(sentence) Another client that runs on this computer plays under this name. To"
          + " play here, end that one, or choose another name.")
    case .refused(_, let sentence): LoginFormError(sentence: sentence)
    }
  }

  /// Returns the error of a login with these values that needed a password, or another one.
  private func passwordError(
    _ sentence: String, with values: [String], password: String?, canAsk: Bool
  ) -> LoginFormError {
    let name = values[0].trimmed
    let wrong = "The password in the file of \(PasswordFile.variable) is not that of “\(name)”."
    let text =
      switch (password, filePassword, canAsk) {
      case (_?, _, _): sentence
      case (nil, _?, true): wrong + " Type its password."
      case (nil, _?, false): wrong
      case (nil, nil, true): "“\(name)” is registered. Type its password."
      case (nil, nil, false):
        "“\(name)” is registered. Write its password to a file, and set"
          + " \(PasswordFile.variable) to the name of that file."
      }
    return LoginFormError(sentence: text, needsPassword: true)
  }

  /// Returns why the session of this name cannot continue, from the code and the sentence with
  /// which the server has refused its login. `mayBeInOwnWay` is whether a lost connection of this
  /// program may still have the name.
  func returnError(
    _ code: ErrorCode, _ sentence: String, mayBeInOwnWay: Bool, afterRestart: Bool, canAsk: Bool
  ) -> LoginFormError {
    switch code {
    case .nameTaken where ownsName:
      LoginFormError(
        sentence: "“\(name)” is in use, perhaps by an earlier session of yours."
          + " Try again later, or choose another name.", needsPassword: true)
    case .nameTaken where mayBeInOwnWay || afterRestart:
      LoginFormError(
        sentence: "The name \(name) is taken, perhaps by your own lost connection."
          + " Try again in a moment, or choose another name.")
    case .nameTaken:
      LoginFormError(sentence: "Somebody else has the name \(name) now. Choose another name.")
    case .wrongPassword: passwordError(sentence, afterRestart: afterRestart, canAsk: canAsk)
    default: LoginFormError(sentence: sentence)
    }
  }

  /// Whether the session may go on although its login was refused with this code: the person may
  /// play at another computer, or has to type another password.
  func mayGoOn(_ code: ErrorCode, mayBeInOwnWay: Bool) -> Bool {
    switch code {
    case .nameTaken: ownsName || mayBeInOwnWay
    case .wrongPassword: ownsName
    default: false
    }
  }

  /// Returns the error of a login under the name of a lost session, that needed a password or
  /// another one. After a restart, the server may have its data back, with an account of the
  /// person's that this program does not know.
  private func passwordError(
    _ sentence: String, afterRestart: Bool, canAsk: Bool
  ) -> LoginFormError {
    guard ownsName || afterRestart else {
      let taken = "Somebody else has registered the name \(name) meanwhile."
      let advice = canAsk ? " Choose another name, or type its password." : ""
      return LoginFormError(sentence: taken + advice, needsPassword: true)
    }
    guard password == nil || !canAsk else {
      return LoginFormError(
        sentence: "The password of “\(name)” has changed. Type the new one.", needsPassword: true)
    }
    return passwordError(sentence, with: [name], password: password, canAsk: canAsk)
  }

  /// Deletes the token, because the person has ended the session. That of a match which the server
  /// did not know stays until the next start.
  func forget() {
    if hasLostFormer, let formerToken {
      tokens.keep(formerToken, former: nil, for: TokenOwner(address: address, name: name))
    } else {
      tokens.discard()
    }
  }

  /// The session cannot continue. Deletes the token, unless the session had a match that the server
  /// did not know: a server that has its data back does.
  func didLoseSession() {
    if formerToken == nil { tokens.discard() }
  }

  private func logIn(
    as name: String?, token: String?, at server: ServerAddress,
    progress: @escaping (String) -> Void, answer: @escaping LoginAttempt.Answer
  ) -> any Cancellable {
    let login = LoginAttempt(
      with: LoginAttempt.Credentials(
        name: name, password: password,
        reservePassword: doubtfulPassword ?? (password == nil ? filePassword : nil),
        kept: token.map { LoginAttempt.KeptSession(token: $0, seq: match.lastSeq) },
        formerToken: formerToken),
      at: server, over: link, isAddressShown: !settings.isAddressFixed, progress: progress,
      answer: answer)
    login.begin()
    return login
  }

  /// Reads a port number from 1 to 65535; returns `nil` for any other text.
  private static func port(_ value: String) -> UInt16? {
    UInt16(value.trimmed).flatMap { $0 > 0 ? $0 : nil }
  }
}
