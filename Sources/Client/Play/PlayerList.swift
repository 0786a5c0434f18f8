import Shared

/// Who is logged in, and what they do.
typealias PlayerList = ItemList<ListedPlayer>

extension PlayerList {
  /// All of it, for a person.
  var sentence: String {
    var people = items.map { player in
      let doing =
        switch player.place {
        case .lobby: "free"
        case .waiting: "waits for a game"
        case .playing: "plays"
        case .watching: "watches"
        }
      return "\(player.name) (\(doing))"
    }
    if more > 0 { people.append("and \(more) more") }
    return "Here: " + people.joined(separator: ", ")
  }
}
