import Foundation
import Shared

/// The rows of the list.
extension OffGameScene {
  var rows: [OffGameList.Row] { rows(at: nil) }

  /// Returns the rows as they are drawn at a time; `nil` leaves out the times of invitations.
  func rows(at now: Duration?) -> [OffGameList.Row] {
    guard !isChoosingGame else { return games }
    let invited = invited(at: now)
    switch status {
    case .lobby:
      guard sought.isEmpty else { return invited + people(canBeChosen: true) + matchRows }
      let anyone = OffGameList.Row(
        item: .anyone, text: isLocal ? "Play each other" : "Play anyone",
        remark: chosenGame?.name ?? "")
      let bot = OffGameList.Row(item: .bot, text: "Play the bot", remark: level.rawValue)
      return invited + [anyone, bot] + (isLocal ? [] : friends) + people(canBeChosen: true)
        + matchRows
    case .waiting(_, let friend?): return [cancel] + lines(about: friend) + invited
    case .waiting(_, nil): return [cancel] + invited + people(canBeChosen: false)
    case .betweenGames(_, hasAsked: false):
      let next = OffGameList.Row(
        item: .nextGame, text: "Play the next game",
        short: OffGameList.Row.Short(text: "Next game", remark: ""))
      return [next, leave("Leave the match")]
    case .betweenGames(_, hasAsked: true): return [cancel, leave("Leave the match")]
    case .watching: return [leave("Stop watching")]
    }
  }

  /// The games, of which the person chooses one.
  private var games: [OffGameList.Row] {
    offers.map { offer in
      let shape = offer.game.shape
      let size = "\(shape.rows) × \(shape.columns)"
      return OffGameList.Row(
        item: offer.isPlayable ? .game(offer.game.id) : nil,
        text: offer.isPlayable ? offer.game.name : "  \(offer.game.name)",
        remark: offer.isPlayable ? size : "not with this client")
    }
  }

  private var friends: [OffGameList.Row] {
    [
      OffGameList.Row(item: .friend, text: "Play with a friend", remark: "f"),
      OffGameList.Row(item: .enterCode, text: "Enter a friend's code", remark: "c"),
    ]
  }

  /// What to send to a friend.
  private func lines(about friend: FriendCode) -> [OffGameList.Row] {
    if let line = friend.line {
      return ["Send your friend this line:", line, "or this code: \(friend.code)"]
        .map { OffGameList.Row(text: $0) }
    }
    return [
      "Send your friend this code: \(friend.code)", "or this command:", friend.command,
      "or this URL:", friend.url,
      friend.isOnThisHost
        ? "\(friend.address.host) is this computer. For a friend elsewhere, write its name instead."
        : "",
    ].filter { !$0.isEmpty }.map { OffGameList.Row(text: $0) }
  }

  private var cancel: OffGameList.Row {
    OffGameList.Row(item: .cancel, text: "Stop waiting", remark: "Esc")
  }

  private func leave(_ text: String) -> OffGameList.Row {
    OffGameList.Row(item: .leaveMatch, text: text)
  }

  /// One row for each invitation, with the time that is left to answer it, or else its age.
  private func invited(at now: Duration?) -> [OffGameList.Row] {
    invitations.map { invitation in
      let time = now.map { now in
        invitation.end.map { "\(($0 - now).clock) left" } ?? (now - invitation.since).inThePast
      }
      let game = gameName(invitation.game)
      return OffGameList.Row(
        item: .accept(from: invitation.from, game: invitation.game),
        text: invitation.from, tail: " invites you: \(game)", remark: time ?? "",
        short: OffGameList.Row.Short(
          text: invitation.from, tail: ": \(game)", remark: time ?? ""))
    }
  }

  /// The name of a game for people; its id if the server does not offer it.
  func gameName(_ id: String) -> String {
    offers.first { $0.game.id == id }?.game.name ?? id
  }

  /// The text that the person seeks.
  private var sought: String { filter?.text.trimmed ?? "" }

  private func isSought(_ text: String) -> Bool {
    sought.isEmpty || text.localizedStandardContains(sought)
  }

  /// Returns the other players below a heading; no rows in a local game.
  private func people(canBeChosen: Bool) -> [OffGameList.Row] {
    guard !isLocal, let players else { return [] }
    let others = others.filter { isSought($0.name) }
    let more = players.more > 0 ? ", and \(players.more) more" : ""
    let heading =
      sought.isEmpty
      ? others.isEmpty ? "Nobody else is here now." : "Here now\(more):"
      : others.isEmpty ? "Nobody here is called that." : "Found:"
    let space = sought.isEmpty ? [OffGameList.Row()] : []
    return space + [OffGameList.Row(text: heading)]
      + others.map { player in
        OffGameList.Row(
          item: canBeChosen ? .player(player.name) : nil,
          text: canBeChosen ? player.name : "  \(player.name)", tail: player.ratingText,
          remark: remark(on: player),
          short: OffGameList.Row.Short(
            text: canBeChosen ? player.name : "  \(player.name)", remark: remark(on: player)))
      }
  }

  /// What a player does, with the game if the server offers several.
  private func remark(on player: PlayerSummary) -> String {
    guard offers.count > 1, let game = player.game.map(gameName) else { return player.place.phrase }
    return switch player.place {
    case .waiting: "waiting for \(game)"
    case .playing: "playing \(game)"
    case .lobby, .watching: player.place.phrase
    }
  }

  private func score(of match: MatchSummary) -> String {
    match.score.map { ", \($0.x)–\($0.o)" } ?? ""
  }

  private var matchRows: [OffGameList.Row] {
    let matches = watchable.filter { isSought($0.title) }
    guard !matches.isEmpty else { return [] }
    return [OffGameList.Row(), OffGameList.Row(text: "Matches to watch:")]
      + matches.map { match in
        OffGameList.Row(
          item: .watch(match.match), text: match.title,
          remark: gameName(match.game) + (match.isRunning ? "" : ", between games")
            + score(of: match),
          short: OffGameList.Row.Short(
            text: match.title, remark: gameName(match.game) + score(of: match)))
      }
  }
}
