import Shared

/// Tracks which players of a match are connected, and waits for lost players for a limited time.
final class Presence {
  /// Called when a lost player has not resumed in time.
  var onAbandon: (Session) -> Void = { _ in }
  private let channel: MatchChannel
  private let grace: Duration?
  private let timers: any Timers
  private var waits: [Wait] = []

  private struct Wait {
    let session: Session
    let timer: LoopTimer?
  }

  /// `grace` is the time in which a lost player may resume; `nil` means that players cannot resume.
  init(channel: MatchChannel, grace: Duration?, timers: any Timers) {
    self.channel = channel
    self.grace = grace
    self.timers = timers
  }

  /// The players whose connections are lost.
  var lost: [Session] { waits.map(\.session) }

  /// Which players are connected. The bot always is.
  var online: PerMark<Bool> {
    channel.seats.map { seat in !waits.contains { $0.session === seat } }
  }

  func connectionDidEnd(of session: Session) {
    wait(for: session)
    guard let grace else { return onAbandon(session) }
    channel.send(.presenceDidChange(channel.mark(of: session), online: false, grace: grace))
  }

  /// Waits for a player of whose loss everyone knows.
  func wait(for session: Session) {
    let timer = grace.map {
      timers.schedule(after: $0) { [weak self, weak session] in
        guard let self, let session else { return }
        onAbandon(session)
      }
    }
    waits.append(Wait(session: session, timer: timer))
  }

  func connectionDidResume(of session: Session) {
    for wait in waits where wait.session === session { wait.timer?.cancel() }
    waits.removeAll { $0.session === session }
    channel.send(.presenceDidChange(channel.mark(of: session), online: true))
  }

  /// Stops waiting for lost players.
  func stop() {
    for wait in waits { wait.timer?.cancel() }
    waits = []
  }
}

/// Limits how often each player of a match may resume: 100 times at once, then 5 times a second,
/// which is more than any bad connection needs. Each time the opponent gets two events, so without
/// a limit a player could flood an opponent who reads slowly.
final class ResumeRateLimiter {
  private static let full = TokenBucket(perSecond: 5, burst: 100)

  private var buckets = PerMark(x: full, o: full)

  /// Counts one resume.
  ///
  /// - Throws: `tooFast` if the player of that mark has resumed too often.
  func check(_ mark: Mark, at now: Duration) throws(CommandError) {
    try buckets[mark].take(
      at: now, orThrow: "Your connection was lost too often. Try again in a moment.")
  }
}
