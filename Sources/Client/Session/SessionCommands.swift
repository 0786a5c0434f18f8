import Shared

/// What a person who is logged in asks of a server: commands go up, and why one comes to nothing
/// becomes a sentence. RemoteSession owns it.
final class RemoteWishes {
  weak var listener: (any PlayListener)?
  /// Whether commands are the session's: not until it is taken up on the link that is there, or the
  /// server would carry them out in one whose token has not arrived.
  var isOnline = true
  private let link: ServerLink
  private let notices: EventSource<String>

  init(link: ServerLink, notices: EventSource<String>) {
    self.link = link
    self.notices = notices
  }

  func start(_ game: GameInfo, against opponent: Opponent) {
    let name: String? =
      switch opponent {
      case .anyone: nil
      case .bot: Player.botName
      case .player(let name): name
      }
    send(.start(opponent: name, game: game.id)) { [weak self] in
      self?.listener?.playDidNotStart(.refused)
    }
  }

  func cancelStart() {
    send(.cancel)
  }

  func leaveMatch() {
    send(.leave)
  }

  func watch(_ match: String) {
    send(.watch(match: match)) { [weak self] in self?.listener?.playDidNotStart(.refused) }
  }

  /// What is perhaps lost is told with its words, to be said again.
  func say(_ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return }
    guard text.unicodeScalars.count <= ProtocolLimits.maxMessageLength else {
      return notices.send(
        "That is too long; at most \(ProtocolLimits.maxMessageLength) characters.")
    }
    guard isOnline else { return notices.send("Not said: “\(text)”. \(Self.noAnswer)") }
    let doubt = link.isOpen ? "Perhaps not said" : "Not said"
    link.send(.say(text)) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .error(_, let message, _, _): notices.send(message)
      case nil: notices.send("\(doubt): “\(text)”. \(Self.noAnswer)")
      default: break
      }
    }
  }

  func listPlayers() {
    send(.list(.players))
  }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    link.send(.list(.players)) { event in
      if case .players(let list) = event { answer(list) } else { answer(nil) }
    }
  }

  func listMatches() {
    send(.list(.matches))
  }

  func listMatches(answer: @escaping (MatchList?) -> Void) {
    link.send(.list(.matches)) { event in
      if case .matches(let list) = event { answer(list) } else { answer(nil) }
    }
  }

  /// Why a command has come to nothing.
  static let noAnswer = "There is no connection to the server now; wait until it is back."

  /// Sends a command whose refusal is a sentence to show, and a list that answers it as well.
  private func send(_ command: Command, onRefusal: @escaping () -> Void = {}) {
    guard isOnline else {
      notices.send(Self.noAnswer)
      return onRefusal()
    }
    link.send(command) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .players(let list): notices.send(list.sentence)
      case .matches(let list): notices.send(list.sentence)
      case .error(_, let message, _, _):
        notices.send(message)
        onRefusal()
      case nil:
        notices.send(Self.noAnswer)
        onRefusal()
      default: break
      }
    }
  }
}
