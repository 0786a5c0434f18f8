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
  /// The players who were lost when a number was sent.
  private var missing: [Session] = []

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
    hasChanged = false
    missing = [channel.seats.x, channel.seats.o].compactMap(\.self).filter { $0.connection == nil }
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

  /// Sends the number to a player who has resumed, if the player has missed one.
  func `repeat`(to session: Session) {
    guard missing.contains(where: { $0 === session }) else { return }
    missing.removeAll { $0 === session }
    session.write(event)
  }

  /// Stops the timer, because the match is over.
  func stop() {
    timer?.cancel()
    timer = nil
  }
}
