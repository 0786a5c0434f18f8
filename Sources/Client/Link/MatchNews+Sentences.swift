import Shared

/// The news in lines, for views that show one after another.
extension MatchNews {
  /// How often a connection that stays lost is told of again.
  static let heartbeat: Duration = .seconds(10)

  /// What is new since another state of this; what is new of the link, and what was said, only where
  /// that is asked for.
  func sentences(since old: MatchNews, ofLink: Bool = true, ofChat: Bool) -> [String] {
    (ofLink ? linkSentences(since: old) : []) + absenceSentences(since: old)
      + (ofChat ? remarks(since: old).map(\.sentence) : [])
  }

  private func linkSentences(since old: MatchNews) -> [String] {
    switch (old.lostSince, lostSince) {
    case (nil, _?): ["Connection lost. Reconnecting …"]
    case (_?, nil): ["Connected again."]
    case (let since?, _?):
      (told - since) / Self.heartbeat >= ((old.told - since) / Self.heartbeat).rounded(.down) + 1
        ? ["Still reconnecting (\((told - since).components.seconds) s). To stop, type: quit"] : []
    case (nil, nil): []
    }
  }

  private func absenceSentences(since old: MatchNews) -> [String] {
    guard isInMatch else { return [] }
    let gone = absences.filter { absence in !old.absences.contains { $0.name == absence.name } }
    let back = old.absences.filter { absence in !absences.contains { $0.name == absence.name } }
    return gone.map { $0.sentence(at: told) } + back.map { "\($0.name) is back." }
  }
}

extension MatchNews.Absence {
  func sentence(at now: Duration) -> String {
    "\(name) is away" + (until.map { ", \(($0 - now).clock) left" } ?? "") + "."
  }
}

extension Duration {
  /// Minutes and seconds, begun ones included: `0:42`. What is over is `0:00`.
  var clock: String {
    let seconds = max(0, Int((self / .seconds(1)).rounded(.up)))
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}
