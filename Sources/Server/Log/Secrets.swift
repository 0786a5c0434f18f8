import Shared

/// What stands in a trace in the place of a secret.
private let blot = "***"

extension Command {
  /// The same without what only its session may know.
  var withoutSecrets: Command {
    switch self {
    case .login(let name, let password): .login(name: name, password: password.map { _ in blot })
    case .resume(_, let seq): .resume(token: blot, seq: seq)
    case .start, .cancel, .place, .resign, .leave, .say, .watch, .list, .sync, .ping, .help, .quit:
      self
    }
  }
}

extension Event {
  /// The same without what only its receiver may know.
  var withoutSecrets: Event {
    switch self {
    case .didLogin(let name, let token, let place):
      .didLogin(name: name, token: token.map { _ in blot }, place: place)
    case .hello, .didQueue, .didCancel, .invited, .invitationDidEnd, .match, .matchSnapshot,
      .didLeave, .matches, .players, .games, .pong, .help, .error, .bye, .unknown:
      self
    }
  }
}
