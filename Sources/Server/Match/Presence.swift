import Shared

/// Which players of a match are there: keeps the place of one whose connection is lost for a time.
final class Presence {
  /// Called when a player has not come back in time.
  var onAbandon: (Session) -> Void = { _ in }
  private let channel: MatchChannel
  private let grace: Duration?
  private let timers: any Timers
  private var waits: [Wait] = []

  private struct Wait {
    let session: Session
    let timer: LoopTimer?
  }

  /// `grace` is the time to come back; `nil`: none.
  init(channel: MatchChannel, grace: Duration?, timers: any Timers) {
    self.channel = channel
    self.grace = grace
    self.timers = timers
  }

  /// Whose connections are lost.
  var lost: [Session] { waits.map(\.session) }

  /// Whose connection is there; the bot is always.
  var online: PerMark<Bool> {
    channel.seats.map { seat in !waits.contains { $0.session === seat } }
  }

  func connectionDidEnd(of session: Session) {
    let timer = grace.map {
      timers.schedule(after: $0) { [weak self, weak session] in
        guard let self, let session else { return }
        onAbandon(session)
      }
    }
    waits.append(Wait(session: session, timer: timer))
    guard let grace else { return onAbandon(session) }
    channel.send(.presenceDidChange(channel.mark(of: session), online: false, grace: grace))
  }

  func connectionDidReturn(of session: Session) {
    for wait in waits where wait.session === session { wait.timer?.cancel() }
    waits.removeAll { $0.session === session }
    channel.send(.presenceDidChange(channel.mark(of: session), online: true))
  }

  /// Waits for nobody any more.
  func stop() {
    for wait in waits { wait.timer?.cancel() }
    waits = []
  }
}

/// How often the players of a match may resume: 5 times a second, after 100 at once, which is more
/// than any connection on a bad day. Each time the opponent gets two events: without a limit a player
/// who comes and goes without end would drown an opponent who reads slowly.
final class ResumeRateLimiter {
  private static let full = TokenBucket(perSecond: 5, burst: 100)

  private var buckets = PerMark(x: full, o: full)

  /// Throws `tooFast` where the player of that mark has resumed too often.
  func check(_ mark: Mark, at now: Duration) throws(CommandError) {
    try buckets[mark].take(
      at: now, orSay: "Your connection was lost too often. Try again in a moment.")
  }
}
