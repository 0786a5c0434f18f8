import Shared

/// What stands in the list.
extension OffGameScene {
  var rows: [OffGameList.Row] {
    let rows = items.map { item in
      OffGameList.Row(item: item, text: text(of: item), remark: remark(on: item))
    }
    guard let heading else { return rows }
    let head = [OffGameList.Row(), OffGameList.Row(text: heading)]
    guard status != .lobby else {
      let matches = rows.suffix(watchable.count)
      let people = rows.dropLast(matches.count)
      return people.dropLast(others.count) + head + people.suffix(others.count)
        + (matches.isEmpty ? [] : [OffGameList.Row(), OffGameList.Row(text: "Matches to watch:")])
        + matches
    }
    return rows + head
      + others.map { OffGameList.Row(text: "  \($0.name)", remark: $0.place.phrase) }
  }

  /// Above who else is here; `nil` where they are not shown.
  private var heading: String? {
    guard !isLocal, !isInMatch, let players else { return nil }
    if others.isEmpty { return "Nobody else is here now." }
    return players.more > 0 ? "Here now, with \(players.more) more:" : "Here now:"
  }

  private func text(of item: OffGameItem) -> String {
    switch item {
    case .accept(let from, _): "Play \(from)"
    case .anyone: isLocal ? "Play one another" : "Play anyone"
    case .bot: "Play the bot"
    case .player(let name): name
    case .nextGame: "Play the next game"
    case .cancel: "Stop waiting"
    case .leaveMatch: isWatching ? "Stop watching" : "Leave the match"
    case .watch(let id): watchable.first { $0.match == id }?.title ?? id
    }
  }

  private func remark(on item: OffGameItem) -> String {
    switch item {
    case .accept(_, let game):
      guard offers.count > 1, let name = offers.first(where: { $0.game.id == game })?.game.name
      else { return "invites you" }
      return "invites you to \(name)"
    case .player(let name):
      return others.first { $0.name == name }?.place.phrase ?? ""
    case .nextGame:
      return invitations.contains { $0.from == opponent } ? "\(opponent ?? "") wants it" : ""
    case .anyone: return chosenGame?.name ?? ""
    case .watch(let id):
      return watchable.first { $0.match == id }?.isRunning == false ? "between games" : ""
    case .cancel: return "Esc"
    case .bot, .leaveMatch: return ""
    }
  }
}
