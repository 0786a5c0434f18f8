/// The replies to `list`. Each method takes any collection, also a lazy one, and reads only as many
/// items as fit into a line of up to `maxBytes`. `more` is the number of items that the caller has
/// omitted; the items that do not fit are added to it. The caller adds the closing brace.
extension EventEncoder {
  package static func put(
    matches: some Collection<MatchSummary>, more: Int, _ re: RequestID?,
    maxBytes: Int = ProtocolLimits.maxEventLine,
    to line: inout LineWriter
  ) {
    put(.matches, matches, more: more, re, maxBytes: maxBytes, to: &line) { match, line in
      line.put("{\"match\":")
      line.put(quoted: match.match)
      line.put("game", match.game)
      line.put(match.players)
      line.put("running", match.isRunning)
      if let score = match.score { line.put(score) }
      line.put("}")
    }
  }

  package static func put(
    players: some Collection<PlayerSummary>, more: Int, _ re: RequestID?,
    maxBytes: Int = ProtocolLimits.maxEventLine, to line: inout LineWriter
  ) {
    put(.players, players, more: more, re, maxBytes: maxBytes, to: &line) { player, line in
      line.put("{\"name\":")
      line.put(quoted: player.name)
      line.put("place", plain: player.place.rawValue)
      line.put("game", player.game)
      line.put("rating", player.rating)
      line.put("}")
    }
  }

  package static func put(
    games: some Collection<GameSummary>, more: Int, _ re: RequestID?,
    maxBytes: Int = ProtocolLimits.maxEventLine,
    to line: inout LineWriter
  ) {
    put(.games, games, more: more, re, maxBytes: maxBytes, to: &line) { game, line in
      line.put(game)
    }
  }

  private static func put<Items: Collection>(
    _ type: EventType, _ items: Items, more: Int, _ re: RequestID?, maxBytes: Int,
    to line: inout LineWriter, item put: (Items.Element, inout LineWriter) -> Void
  ) {
    line.begin(type, re)
    line.put(field: "items")
    line.put("[")
    var remaining = items.count
    for item in items {
      let end = line.count
      if remaining < items.count { line.put(",") }
      put(item, &line)
      guard line.count + tailCount(more: more + remaining - 1) <= maxBytes else {
        line.removeAll(after: end)
        break
      }
      remaining -= 1
    }
    line.put("]")
    if more + remaining > 0 { line.put("more", more + remaining) }
  }

  /// The number of bytes after the last item.
  private static func tailCount(more: Int) -> Int {
    guard more > 0 else { return "]}\n".utf8.count }
    var digits = 1
    var rest = more
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    return "],\"more\":}\n".utf8.count + digits
  }
}
