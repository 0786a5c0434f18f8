import Shared

/// Tells everyone in a match how many spectators there are: at most once a second, and always the
/// last number.
final class SpectatorCount {
  /// The time between two numbers.
  static let interval: Duration = .seconds(1)

  private let channel: MatchChannel
  private let timers: any Timers
  /// Runs for one interval after each number that was sent.
  private var timer: LoopTimer?
  private var hasChanged = false
  private var hasBeenSent = false

  init(channel: MatchChannel, timers: any Timers) {
    self.channel = channel
    self.timers = timers
  }

  /// A spectator has come or gone.
  func didChange() {
    hasChanged = true
    if timer == nil { send() }
  }

  private func send() {
    (hasChanged, hasBeenSent) = (false, true)
    EventEncoder.withLine(event) { line in
      for session in channel.everyone { session.write(line: line, you: nil) }
    }
    timer = timers.schedule(after: Self.interval) { [weak self] in self?.timerDidFire() }
  }

  private func timerDidFire() {
    timer = nil
    if hasChanged { send() }
  }

  private var event: Event {
    .spectatorsDidChange(match: channel.match, count: channel.spectators.count)
  }

  /// Sends the number to a player or spectator who has resumed, if one was ever sent: it has no
  /// `seq`, so nobody knows whether it arrived before the connection was lost.
  func `repeat`(to session: Session) {
    if hasBeenSent { session.write(event) }
  }

  /// Stops the timer, because the match is over.
  func stop() {
    timer?.cancel()
    timer = nil
  }
}
