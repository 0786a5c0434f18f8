import Shared

/// The `MatchNews` as the match holds them, which tells what happens.
final class MutableMatchNews {
  private let link: ServerLink
  private let current = CurrentValue(MatchNews())
  /// Who plays the running game, or played the last, and which mark is played here.
  private var players: PerMark<String>?
  private var own: Mark?

  init(link: ServerLink) {
    self.link = link
  }

  var stream: Stream<MatchNews> { current.stream }

  /// Whether the running move is timed.
  var isTimed: Bool { current.value.deadline != nil }

  /// Since when the connection is lost.
  var lostSince: Duration? { current.value.lostSince }

  func connectionDidEnd() {
    change { if $0.lostSince == nil { $0.lostSince = link.now } }
  }

  /// It is still lost; a sign of life.
  func connectionIsTried() {
    guard lostSince != nil else { return }
    var news = current.value
    news.told = link.now
    current.send(news)
  }

  func connectionDidReturn() {
    change { $0.lostSince = nil }
  }

  func gameDidBegin(_ picture: GameState, in match: String) {
    players = picture.players
    own = picture.you
    change { news in
      news.match = match
      news.absences.removeAll { ![picture.players.x, picture.players.o].contains($0.name) }
      news.deadline = picture.timeLeft.map { link.now + $0 }
    }
  }

  /// `left` is the time for it; `nil` where it is not limited, or there is none. Costs nothing where
  /// moves are not timed.
  func moveDidBegin(left: Duration?) {
    if left == nil, current.value.deadline == nil { return }
    change { $0.deadline = left.map { link.now + $0 } }
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

  /// Who is there, of whom nothing else is told.
  func show(online: PerMark<Bool>) {
    guard let players else { return }
    for mark in Mark.allCases {
      let isAway = current.value.absences.contains { $0.name == players[mark] }
      if online[mark] == isAway { presenceDidChange(of: mark, online: online[mark], grace: nil) }
    }
  }

  func didSay(_ text: String, from name: String) {
    change { $0.add(MatchNews.Remark(from: name, text: text)) }
  }

  func matchDidEnd() {
    players = nil
    own = nil
    change { news in
      news.match = nil
      news.absences = []
      news.deadline = nil
      news.forgetRemarks()
    }
  }

  private func change(_ body: (inout MatchNews) -> Void) {
    var news = current.value
    body(&news)
    guard news != current.value else { return }
    news.told = link.now
    current.send(news)
  }
}
