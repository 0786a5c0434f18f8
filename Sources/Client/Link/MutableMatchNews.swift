import RIBs
import Shared

/// Updates the `MatchNews` as events arrive. Owned by `RemoteMatch`.
final class MutableMatchNews {
  private let link: any MatchConnection
  private let current = CurrentValue(MatchNews())
  /// The players of the current game, or of the last one, and the mark played here.
  private var players: PerMark<String>?
  private var own: Mark?
  /// The id of the match whose messages are kept; `nil` if there are none.
  private var chatMatch: String?

  init(link: any MatchConnection) {
    self.link = link
  }

  var stream: Stream<MatchNews> { current.stream }

  var isTimed: Bool { current.value.deadline != nil }

  /// When the connection was lost; `nil` while there is one.
  var lostSince: Duration? { current.value.lostSince }

  func connectionDidEnd() {
    change { news in
      if news.lostSince == nil { news.lostSince = link.now }
      news.serverEnd = nil
    }
  }

  /// The server has announced that it stops within a time; `nil` if it does not stop.
  func serverWillStop(within time: Duration?) {
    change { $0.serverEnd = time.map { link.now + $0 } }
  }

  /// An attempt to reconnect has failed.
  func didNotReconnect(because failure: LinkError) {
    change { $0.obstacle = failure.obstacle }
  }

  /// The client has tried to reconnect: updates the time, so that views show that it is still
  /// trying.
  func didTryToReconnect() {
    guard lostSince != nil else { return }
    var news = current.value
    news.updated = link.now
    current.send(news)
  }

  func connectionDidReturn() {
    change { news in
      news.lostSince = nil
      news.obstacle = nil
      news.serverEnd = nil
    }
  }

  /// A command was lost with the connection, or has had its answer now.
  func setRepeating(_ isRepeating: Bool) {
    if current.value.isRepeating != isRepeating { change { $0.isRepeating = isRepeating } }
  }

  /// The session continues at another server.
  func sessionDidMove(to server: ServerAddress) {
    change { $0.server = server }
  }

  func gameDidBegin(_ state: GameState, in match: String) {
    players = state.players
    own = state.you
    let isNew = chatMatch != match
    chatMatch = match
    change { news in
      if isNew { news.forgetRemarks() }
      news.match = match
      news.absences.removeAll { ![state.players.x, state.players.o].contains($0.name) }
      news.deadline = state.timeLeft.map { link.now + $0 }
    }
  }

  /// `timeLeft` is the time for the move; `nil` without a limit or without a move. Costs nothing in
  /// games without a limit.
  func moveDidBegin(timeLeft: Duration?) {
    if timeLeft == nil, current.value.deadline == nil { return }
    change { $0.deadline = timeLeft.map { link.now + $0 } }
  }

  func presenceDidChange(of mark: Mark, online: Bool, grace: Duration?) {
    guard mark != own, let name = players?[mark] else { return }
    change { news in
      news.absences.removeAll { $0.name == name }
      if !online {
        news.absences.append(MatchNews.Absence(name: name, until: grace.map { link.now + $0 }))
      }
    }
  }

  /// Shows which players are connected, unless events have already reported it.
  func show(online: PerMark<Bool>) {
    guard let players else { return }
    for mark in Mark.allCases {
      let isAway = current.value.absences.contains { $0.name == players[mark] }
      if online[mark] == isAway { presenceDidChange(of: mark, online: online[mark], grace: nil) }
    }
  }

  /// `mark` is `nil` for a spectator, and for everyone on an older server.
  func didSay(_ text: String, from name: String, mark: Mark?) {
    let isPlayer = mark != nil || players.map { [$0.x, $0.o].contains(name) } ?? false
    change { $0.add(MatchNews.Remark(from: name, isFromSpectator: !isPlayer, text: text)) }
  }

  func spectatorsDidChange(to count: Int) {
    change { $0.spectatorCount = count }
  }

  /// The messages stay until the next match begins.
  func matchDidEnd() {
    players = nil
    own = nil
    change { news in
      news.match = nil
      news.absences = []
      news.deadline = nil
      news.spectatorCount = 0
    }
  }

  /// Another person may log in next.
  func sessionDidEnd() {
    chatMatch = nil
    change { $0.forgetRemarks() }
  }

  private func change(_ body: (inout MatchNews) -> Void) {
    var news = current.value
    body(&news)
    guard news != current.value else { return }
    news.updated = link.now
    current.send(news)
  }
}
