/// The answers to `list`. Each takes any collection, also a lazy one, and looks only at the items
/// that fit into the line; `more` counts the others, on top of those that were left out before.
extension EventEncoder {
  package static func append(
    matches: some Collection<ListedMatch>, more: Int = 0, re: RequestID? = nil,
    to line: inout [UInt8]
  ) {
    append(.matches, matches, more: more, re: re, to: &line) { match, line in
      line.append(json: "{\"match\":")
      line.append(quoted: match.match)
      line.append("game", match.game)
      let room = 32 + room(match.players.x) + room(match.players.o)
      line.append(addingCapacity: room) { append(match.players, to: &$0) }
      line.append(field: "running")
      line.append(match.isRunning)
      line.append(json: "}")
    }
  }

  package static func append(
    players: some Collection<ListedPlayer>, more: Int = 0, re: RequestID? = nil,
    to line: inout [UInt8]
  ) {
    append(.players, players, more: more, re: re, to: &line) { player, line in
      line.append(json: "{\"name\":")
      line.append(quoted: player.name)
      line.append("place", player.place.rawValue)
      line.append("game", player.game)
      line.append(json: "}")
    }
  }

  package static func append(
    games: some Collection<ListedGame>, more: Int = 0, re: RequestID? = nil,
    to line: inout [UInt8]
  ) {
    append(.games, games, more: more, re: re, to: &line) { game, line in append(game, to: &line) }
  }

  static func append(_ game: ListedGame, to line: inout [UInt8]) {
    line.append(json: "{\"id\":")
    line.append(quoted: game.id)
    line.append("name", game.name)
    line.append("rows", game.rows)
    line.append("cols", game.columns)
    line.append("inARow", game.inARow)
    line.append(json: "}")
  }

  private static func append<Items: Collection>(
    _ type: EventType, _ items: Items, more: Int, re: RequestID?, to line: inout [UInt8],
    item append: (Items.Element, inout [UInt8]) -> Void
  ) {
    let start = line.count
    begin(type, re, &line)
    line.append(field: "items")
    line.append(json: "[")
    var left = items.count
    for item in items {
      let end = line.count
      if left < items.count { line.append(json: ",") }
      append(item, &line)
      guard line.count - start + tailCount(more: more + left - 1) <= longestLine else {
        line.removeLast(line.count - end)
        break
      }
      left -= 1
    }
    line.append(json: "]")
    if more + left > 0 { line.append("more", more + left) }
    line.append(json: "}\n")
  }

  /// How many bytes follow the last item.
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
