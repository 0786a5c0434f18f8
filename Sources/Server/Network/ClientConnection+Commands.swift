import Shared

/// Carries out a command: what it does, and in which place.
extension ClientConnection {
  /// Each command is answered by at least one line, written here or by what it sets off, or it is
  /// refused by the error thrown, and then nothing has changed.
  func perform(_ command: Command) throws(CommandError) {
    switch command {
    case .login(let name, _):
      guard session == nil else { throw CommandError(.alreadyLoggedIn) }
      let session = try lobby.login(name: name, connection: self)
      self.session = session
      write(.didLogin(name: session.name.text, token: session.token))
    case .start(let opponent, let game):
      let session = try loggedIn()
      switch session.place {
      case .lobby: try lobby.start(by: session, opponent: opponent, game: game)
      case .waiting: throw CommandError(.alreadyWaiting)
      case .playing(let match): try match.start(by: session, opponent: opponent, game: game)
      }
    case .cancel:
      let session = try loggedIn()
      switch session.place {
      case .lobby: throw CommandError(.notWaiting)
      case .waiting(let wish): lobby.cancel(wish, of: session)
      case .playing(let match): try match.cancel(by: session)
      }
    case .place(let cell, let seq):
      let session = try loggedIn()
      try match(of: session).place(at: cell, seq: seq, by: session)
    case .resign:
      let session = try loggedIn()
      try match(of: session).resign(by: session)
    case .leave:
      let session = try loggedIn()
      try match(of: session).leave(by: session)
    case .list(let what):
      _ = try loggedIn()
      list(what)
    case .ping:
      write(.pong)
    case .help(let command):
      for type in command.map({ [$0] }) ?? CommandType.allCases { write(.help(type.help)) }
    case .quit:
      if let session { lobby.end(session) }
      close(with: .bye(.quit))
    }
  }

  private func loggedIn() throws(CommandError) -> Session {
    guard let session else { throw CommandError(.notLoggedIn) }
    return session
  }

  private func match(of session: Session) throws(CommandError) -> any Match {
    guard case .playing(let match) = session.place else { throw CommandError(.notInMatch) }
    return match
  }

  /// More items do not fit into a line, however short they are.
  private static let longestList = EventEncoder.longestLine / 24

  private func list(_ what: Listing) {
    switch what {
    case .players:
      let everyone = lobby.everyone
      let most = everyone.prefix(Self.longestList)
      write(.players(ItemList(most.map(\.listed), more: everyone.count - most.count)))
    case .matches: write(.matches(lobby.matches(atMost: Self.longestList)))
    case .games: write(.games(ItemList(lobby.games.games.map { ListedGame($0.info) })))
    }
  }
}

extension Session {
  fileprivate var listed: ListedPlayer {
    switch place {
    case .lobby: ListedPlayer(name: name.text, place: .lobby, game: nil)
    case .waiting(let wish): ListedPlayer(name: name.text, place: .waiting, game: wish.game.info.id)
    case .playing(let match): ListedPlayer(name: name.text, place: .playing, game: match.game)
    }
  }
}
