import Shared

/// What the words after `start` mean in plain lines.
enum StartWords: Equatable {
  case bot(gameID: String?, level: BotLevel?)
  /// A game or a level of the bot that is not written right, and the sentence about it.
  case misspelled(String)
  case player(name: String, gameID: String?)

  /// - Parameters:
  ///   - words: one word or more.
  ///   - offers: the games of the server.
  ///   - invitations: those to the person. The player of one may have the name of a game at its end.
  init(_ words: String, offers: [Offer], invitations: [Invitation]) {
    let text = words.trimmingQuotes
    if let bot = Self.bot(in: text, offers) {
      self = bot
    } else if let sentence = Self.misspelledBotGame(in: words, offers) {
      self = .misspelled(sentence)
    } else {
      self =
        Self.playerWithGame(in: words, offers, invitations) ?? .player(name: text, gameID: nil)
    }
  }

  /// `bot`, `bot GAME`, `bot LEVEL` and both in any order; `nil` for any other text. A single word
  /// that is no level is a game only if the server offers it, because a name may have spaces.
  private static func bot(in text: String, _ offers: [Offer]) -> StartWords? {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.first?.lowercased() == "bot", words.count <= 3 else { return nil }
    var rest = Array(words.dropFirst())
    let index = rest.lastIndex { BotLevel(word: $0) != nil }
    let level = index.flatMap { BotLevel(word: rest.remove(at: $0)) }
    guard let gameID = rest.first else { return .bot(gameID: nil, level: level) }
    guard rest.count == 1, level != nil || offers.contains(where: { $0.game.isNamed(gameID) })
    else { return nil }
    return .bot(gameID: gameID, level: level)
  }

  /// The sentence for a game or a level that is like one of the server's; `nil` for any other text.
  /// A player of such a name stands between quotation marks.
  private static func misspelledBotGame(in text: String, _ offers: [Offer]) -> String? {
    guard text.lowercased().hasPrefix("bot ") else { return nil }
    let words = String(text.dropFirst(4)).trimmed
    let names = offers.map(\.game.id) + BotLevel.allCases.map(\.rawValue)
    return words.likely(among: names).map { likely in
      "“\(words)” is neither a game nor a level. Did you mean \(likely)?"
    }
  }

  /// `NAME GAME`; `nil` for a text whose last word is no game of the server, and for the name of a
  /// player who has invited this one. A name of several words that ends with a game stands between
  /// quotation marks.
  private static func playerWithGame(
    in text: String, _ offers: [Offer], _ invitations: [Invitation]
  ) -> StartWords? {
    guard !invitations.contains(where: { $0.from == text }) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 1, let last = words.last.map(String.init),
      offers.contains(where: { $0.game.isNamed(last) })
    else { return nil }
    return .player(name: String(text.dropLast(last.count)).trimmed.trimmingQuotes, gameID: last)
  }
}

extension String {
  /// The text without double quotes around it, which people know from the protocol.
  var trimmingQuotes: String {
    guard count >= 2, hasPrefix("\""), hasSuffix("\"") else { return self }
    return String(dropFirst().dropLast())
  }
}
