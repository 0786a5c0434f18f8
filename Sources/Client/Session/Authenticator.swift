import Shared

/// Where people log in at a server, and as whom: what stands in the form, and the token for the next
/// time. RemotePlay owns it.
final class LoginDesk {
  /// Of the server that is played at, or was tried last.
  private(set) var address: ServerAddress
  /// The last one here, to be logged in under again; blank before the first.
  private(set) var name = ""
  private let link: ServerLink
  private let match: RemoteMatch
  private let tokens: TokenFile

  init(link: ServerLink, match: RemoteMatch, tokens: TokenFile, address: ServerAddress) {
    self.link = link
    self.match = match
    self.tokens = tokens
    self.address = address
  }

  var fields: [LoginField] {
    [
      LoginField(.name, label: "Your name", blank: "the server picks one", value: name),
      LoginField(.host, label: "Server", value: address.host),
      LoginField(.port, label: "Port", value: String(address.port)),
    ]
  }

  /// Whether a name is free, and good, the server has the last word on.
  func problems(with values: [String]) -> [String?] {
    [
      PlayerName.problem(with: values[0]),
      values[1].trimmed.isEmpty ? "The server's name or address is needed." : nil,
      ServerForm.port(values[2]) == nil ? "A port is a number from 1 to 65535." : nil,
    ]
  }

  /// By what stands in the form; takes the session of a killed program up, where there is one.
  func logIn(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping RemoteLogin.Answer
  ) -> any Cancellable {
    let name = values[0].trimmed
    address = ServerAddress(
      host: values[1].trimmed, port: ServerForm.port(values[2]) ?? address.port)
    let token =
      name.isEmpty ? nil : tokens.take(for: TokenFile.Owner(address: address, name: name))
    return logIn(
      as: name.isEmpty ? nil : name, token: token, progress: progress, answer: answer)
  }

  /// On another connection.
  func logIn(again login: Login, answer: @escaping RemoteLogin.Answer) -> any Cancellable {
    logIn(as: login.name, token: login.token, progress: { _ in }, answer: answer)
  }

  /// Keeps who has logged in.
  func keep(_ login: Login) {
    name = login.name
    guard let token = login.token else { return }
    tokens.keep(token, for: TokenFile.Owner(address: address, name: login.name))
  }

  /// Why the session is not kept for a program that comes after this one; `nil` where it is, or where
  /// that is usual.
  var problem: String? { tokens.problem }

  /// The session is over.
  func forget() {
    tokens.discard()
  }

  private func logIn(
    as name: String?, token: String?, progress: @escaping (String) -> Void,
    answer: @escaping RemoteLogin.Answer
  ) -> any Cancellable {
    let kept = token.map { RemoteLogin.KeptSession(token: $0, seq: match.last?.seq) }
    let login = RemoteLogin(
      as: name, kept: kept, at: address, over: link, progress: progress, answer: answer)
    login.begin()
    return login
  }
}

/// What can be seen here of whether a form makes sense to a server.
enum ServerForm {
  /// The number of a port to connect to; `nil` where it is none.
  static func port(_ value: String) -> UInt16? {
    UInt16(value.trimmed).flatMap { $0 > 0 ? $0 : nil }
  }
}
