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
    case (_?, _?) where obstacle != nil && obstacle != old.obstacle:
      ["\(obstacle ?? ""). Trying again …"]
    case (let since?, _?):
      (updated - since) / Self.heartbeat >= ((old.updated - since) / Self.heartbeat).rounded(.down)
        + 1
        ? [stillReconnecting(since)] : []
    case (nil, nil):
      server.flatMap { $0 == old.server ? nil : ["Your session continues at \($0)."] } ?? []
    }
  }

  private func stillReconnecting(_ since: Duration) -> String {
    "Still reconnecting (\((updated - since).elapsed))."
      + (obstacle.map { " \($0)." } ?? "") + " To stop, type: quit"
  }

  /// What a screen says about a lost connection, the longest text first; empty while there is one.
  func lossTexts(at now: Duration) -> [String] {
    guard let lostSince, let lossText else { return [] }
    let short = obstacle.map { "\($0) …" } ?? "Reconnecting …"
    return [lossText, short].map { "\($0) (\((now - lostSince).elapsed))" }
  }

  /// The longest of these texts, without the time; `nil` while there is a connection.
  var lossText: String? {
    guard lostSince != nil else { return nil }
    return obstacle.map { "\($0). Trying again …" } ?? "Connection lost. Reconnecting …"
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
