import Shared

/// Which game a start begins, and at which level of the bot. A game is refused with a sentence.
struct GameSelection {
  private let lobby: any GameLobby
  /// What was chosen on the command line, or in the lobby before the last match.
  private let choice: MutableGameChoice
  /// The game that the person has chosen for the next `start`.
  var chosenGame: GameInfo?
  /// The bot's level that the person has chosen.
  var chosenLevel: BotLevel?

  init(lobby: any GameLobby, choice: MutableGameChoice) {
    self.lobby = lobby
    self.choice = choice
  }

  /// The level of a start. In a match, the last level stays until the person chooses another one.
  var level: BotLevel? {
    chosenLevel ?? (lobby.matchGame == nil ? choice.current.level : nil)
  }

  /// The game of a start without an invitation; `nil` if no game can be played here.
  var game: GameInfo? { chosenGame ?? lobby.matchGame ?? usualGame }

  /// The game of a start without an invitation, a choice of the person, and a match.
  private var usualGame: GameInfo? {
    let playable = lobby.offers.filter(\.isPlayable).map(\.game)
    return playable.first { choice.current.game.map($0.isNamed) ?? false } ?? playable.first
  }

  /// Returns the game of a start, which accepts an invitation if there is one.
  func game(accepting invitation: Invitation?) -> Result<GameInfo, RequestError> {
    // Another game than the invitation's would not accept it: both players would wait.
    if let invited = invitation.flatMap({ offer(of: $0.game) }) { return game(of: invited) }
    if let game { return .success(game) }
    return .failure(RequestError(sentence: "This client cannot play any of the server's games."))
  }

  /// Returns the game with an id or a name.
  func game(_ id: String) -> Result<GameInfo, RequestError> {
    if let offer = offer(of: id) { return game(of: offer) }
    let ids = lobby.offers.map(\.game.id).joined(separator: ", ")
    return .failure(
      RequestError(sentence: "There is no game called \(id). The games are: \(ids)."))
  }

  private func game(of offer: Offer) -> Result<GameInfo, RequestError> {
    if offer.isPlayable { return .success(offer.game) }
    return .failure(
      RequestError(sentence: "\(offer.game.name) cannot be played with this client."))
  }

  private func offer(of id: String) -> Offer? {
    lobby.offers.first { $0.game.id == id } ?? lobby.offers.first { $0.game.isNamed(id) }
  }
}

extension GameInfo {
  /// Whether a person means this game by some words: its id or its name, in small or capital
  /// letters.
  func isNamed(_ words: String) -> Bool {
    [id.lowercased(), name.lowercased()].contains(words.lowercased())
  }
}

extension BotLevel {
  /// The level that a person means by a word, in small or capital letters.
  init?(word: String) {
    self.init(rawValue: word.lowercased())
  }
}
