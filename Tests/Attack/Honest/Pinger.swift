import Shared
import TestSupport

/// Pings once a second and measures the response times. It does not wait for an answer before it
/// sends the next ping, so that a stall of the server delays many pings and not just one.
final class Pinger {
  /// How long the project's client waits for an answer before it connects again.
  static let timeout = Duration.seconds(10)

  /// Called when a ping has had no answer for that long.
  var onSilence: () -> Void = {}
  private let context: HonestContext
  private weak var client: WireClient?
  /// Pings without an answer yet.
  private var sent: [(time: Duration, isMeasured: Bool)] = []
  private var isOver = false

  init(_ client: WireClient, context: HonestContext) {
    self.client = client
    self.context = context
    // A random phase: many players together ping at all times.
    let phase = Duration.milliseconds(context.choose(0..<1_000))
    context.loop.schedule(after: phase) { [weak self] in self?.ping() }
  }

  var isWaiting: Bool { sent.contains(where: \.isMeasured) }

  func didReceivePong() {
    guard !sent.isEmpty else { return }
    note(sent.removeFirst())
  }

  /// Pings without an answer count with the time until now.
  func stop() {
    isOver = true
    for ping in sent { note(ping) }
    sent = []
  }

  private func note(_ ping: (time: Duration, isMeasured: Bool)) {
    if ping.isMeasured { context.metrics.pingDidTake(context.loop.now - ping.time) }
  }

  private func ping() {
    guard !isOver, let client else { return }
    if let first = sent.first, context.loop.now - first.time > Self.timeout { return onSilence() }
    sent.append((context.loop.now, context.metrics.isMeasuring))
    client.send(.ping)
    context.loop.schedule(after: .seconds(1)) { [weak self] in self?.ping() }
  }
}
