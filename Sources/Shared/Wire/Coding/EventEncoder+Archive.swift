/// The replies to `history` and `leaderboard`. Even with the longest names, all their items fit
/// into one line.
extension EventEncoder {
  static func put(_ page: HistoryPage, to line: inout LineWriter) {
    put(page.items, to: &line) { item, line in
      line.put("{\"id\":")
      line.put(item.id)
      line.put("match", item.match)
      line.put("game", item.game)
      line.put(item.players)
      line.put(item.outcome)
      line.put("moves", item.moves)
      line.put("ago", item.ago)
      line.put("}")
    }
    line.put("next", page.next)
  }

  static func put(_ leaderboard: Leaderboard, to line: inout LineWriter) {
    line.put("game", leaderboard.game)
    put(leaderboard.items, to: &line) { item, line in
      line.put("{\"rank\":")
      line.put(item.rank)
      line.put("name", item.name)
      line.put("rating", item.rating)
      if item.isProvisional { line.put("provisional", true) }
      line.put("won", item.won)
      line.put("lost", item.lost)
      line.put("drawn", item.drawn)
      line.put("}")
    }
  }

  private static func put<Item>(
    _ items: [Item], to line: inout LineWriter, item put: (Item, inout LineWriter) -> Void
  ) {
    line.put(field: "items")
    line.put("[")
    for (index, item) in items.enumerated() {
      if index > 0 { line.put(",") }
      put(item, &line)
    }
    line.put("]")
  }
}
