/// Who sits at a mark.
package enum Player: Hashable, Sendable {
  case person(String)
  case bot

  /// The name of the bot, which no person can have.
  package static let botName = "bot"

  package var name: String {
    switch self {
    case .person(let name): name
    case .bot: Self.botName
    }
  }
}
