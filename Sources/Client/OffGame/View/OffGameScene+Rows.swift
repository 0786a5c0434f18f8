import Shared

/// The rows of the list.
extension OffGameScene {
  var rows: [OffGameList.Row] {
    switch status {
    case .lobby:
      let anyone = OffGameList.Row(
        item: .anyone, text: isLocal ? "Play each other" : "Play anyone",
        remark: chosenGame?.name ?? "")
      let bot = OffGameList.Row(item: .bot, text: "Play the bot", remark: level.rawValue)
      return invited + [anyone, bot] + people(canBeChosen: true) + matchRows
    case .waiting: return [cancel] + invited + people(canBeChosen: false)
    case .betweenGames(_, hasAsked: false):
      let remark = invitations.contains { $0.from == opponent } ? "\(opponent ?? "") is ready" : ""
      let next = OffGameList.Row(item: .nextGame, text: "Play the next game", remark: remark)
      return [next, leave("Leave the match")]
    case .betweenGames(_, hasAsked: true): return [cancel, leave("Leave the match")]
    case .watching: return [leave("Stop watching")]
    }
  }

  private var cancel: OffGameList.Row {
    OffGameList.Row(item: .cancel, text: "Stop waiting", remark: "Esc")
  }

  private func leave(_ text: String) -> OffGameList.Row {
    OffGameList.Row(item: .leaveMatch, text: text)
  }

  private var invited: [OffGameList.Row] {
    let named = offers.count > 1 ? offers.map { ($0.game.id, $0.game.name) } : []
    let names = Dictionary(named, uniquingKeysWith: { first, _ in first })
    return invitations.map { invitation in
      OffGameList.Row(
        item: .accept(from: invitation.from, game: invitation.game),
        text: "Play \(invitation.from)",
        remark: "invites you" + (names[invitation.game].map { " to \($0)" } ?? ""))
    }
  }

  /// Returns the other players below a heading; no rows in a local game.
  private func people(canBeChosen: Bool) -> [OffGameList.Row] {
    guard !isLocal, let players else { return [] }
    let others = others
    let heading =
      others.isEmpty
      ? "Nobody else is here now."
      : players.more > 0 ? "Here now, and \(players.more) more:" : "Here now:"
    return [OffGameList.Row(), OffGameList.Row(text: heading)]
      + others.map { player in
        OffGameList.Row(
          item: canBeChosen ? .player(player.name) : nil,
          text: canBeChosen ? player.name : "  \(player.name)", remark: player.place.phrase)
      }
  }

  private var matchRows: [OffGameList.Row] {
    let watchable = watchable
    guard !watchable.isEmpty else { return [] }
    return [OffGameList.Row(), OffGameList.Row(text: "Matches to watch:")]
      + watchable.map { match in
        OffGameList.Row(
          item: .watch(match.match), text: match.title,
          remark: match.isRunning ? "" : "between games")
      }
  }
}
