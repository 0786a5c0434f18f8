import Shared

/// The news as sentences, for views that show one line after another.
extension MatchNews {
  /// The interval between reminders that the connection is still lost.
  static let heartbeat: Duration = .seconds(10)

  /// Returns sentences about all that has changed since `old`. `ofLink` includes the connection and
  /// the spectators, `ofChat` the chat messages.
  func sentences(since old: MatchNews, ofLink: Bool = true, ofChat: Bool) -> [String] {
    (ofLink ? linkSentences(since: old) + spectatorSentences(since: old) : [])
      + absenceSentences(since: old)
      + (ofChat ? remarks(since: old).map(\.sentence) : [])
  }

  private func linkSentences(since old: MatchNews) -> [String] {
    switch (old.lostSince, lostSince) {
    case (nil, _?): ["Connection lost. Reconnecting …"]
    case (_?, nil): ["Connected again."]
    case (let since?, _?):
      (updated - since) / Self.heartbeat >= ((old.updated - since) / Self.heartbeat).rounded(.down)
        + 1
        ? ["Still reconnecting (\((updated - since).components.seconds) s). To stop, type: quit"]
        : []
    case (nil, nil):
      server.flatMap { $0 == old.server ? nil : ["Your session continues at \($0)."] } ?? []
    }
  }

  private func spectatorSentences(since old: MatchNews) -> [String] {
    if let serverEnd, old.serverEnd == nil {
      return ["The server stops in \((serverEnd - updated).clock) at the latest."]
    }
    guard isInMatch, spectatorCount != old.spectatorCount else { return [] }
    return [spectatorCount == 0 ? "Nobody is watching now." : "\(spectatorCount) watching."]
  }

  private func absenceSentences(since old: MatchNews) -> [String] {
    guard isInMatch else { return [] }
    let gone = absences.filter { absence in !old.absences.contains { $0.name == absence.name } }
    let back = old.absences.filter { absence in !absences.contains { $0.name == absence.name } }
    return gone.map { $0.sentence(at: updated) } + back.map { "\($0.name) is back." }
  }
}

extension MatchNews.Absence {
  func sentence(at now: Duration) -> String {
    "\(name) is away" + (until.map { ", \(($0 - now).clock) left" } ?? "") + "."
  }
}

extension Duration {
  /// Minutes and seconds, rounded up, as `0:42`. A negative duration is `0:00`.
  var clock: String {
    let seconds = max(0, Int((self / .seconds(1)).rounded(.up)))
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}
