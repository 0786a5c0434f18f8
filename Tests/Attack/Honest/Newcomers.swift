import Shared
import TestSupport

/// Honest clients that arrive four times a second, each from another address: they log in, start a
/// match against the bot, and quit.
final class Newcomers {
  private static let pause = Duration.milliseconds(250)

  private final class Newcomer {
    let client: WireClient
    let came: Duration
    let isMeasured: Bool
    var isLoggedIn = false

    init(_ client: WireClient, came: Duration, isMeasured: Bool) {
      self.client = client
      self.came = came
      self.isMeasured = isMeasured
    }
  }

  private let context: HonestContext
  private var current: [ObjectIdentifier: Newcomer] = [:]
  private var count = 0
  private var isOver = false

  init(context: HonestContext) {
    self.context = context
    comeNext()
  }

  /// Whether a measured login has no answer yet.
  var isWaiting: Bool { current.values.contains { $0.isMeasured && !$0.isLoggedIn } }

  /// No more of them arrive.
  func stop() { isOver = true }

  /// Logins without an answer count with the time until now.
  func giveUp() {
    for newcomer in current.values where newcomer.isMeasured && !newcomer.isLoggedIn {
      context.metrics.loginDidTake(context.loop.now - newcomer.came)
    }
    current = [:]
  }

  private func comeNext() {
    guard !isOver else { return }
    come()
    context.loop.schedule(after: Self.pause) { [weak self] in self?.comeNext() }
  }

  private func come() {
    count += 1
    let name = "newcomer \(count)"
    let newcomer = Newcomer(
      context.connect(from: LoopbackAddress(3, number: count)), came: context.loop.now,
      isMeasured: context.metrics.isMeasuring)
    current[ObjectIdentifier(newcomer)] = newcomer
    newcomer.client.onEvent = { [weak self, unowned newcomer] event in
      self?.take(event, for: newcomer, name)
    }
    newcomer.client.onEnd = { [weak self, unowned newcomer] in
      self?.context.metrics.wasClosed("newcomer without a word")
      self?.go(newcomer)
    }
  }

  private func take(_ event: Event?, for newcomer: Newcomer, _ name: String) {
    switch event {
    case .hello: newcomer.client.send(.login(name: name, password: nil))
    case .didLogin:
      newcomer.isLoggedIn = true
      if newcomer.isMeasured { context.metrics.loginDidTake(context.loop.now - newcomer.came) }
      newcomer.client.send(.start(opponent: Player.botName, game: nil))
    case .match: newcomer.client.send(.quit)
    case .error(let code, _, _, _):
      context.metrics.wasRefused("newcomer \(code.rawValue)")
      newcomer.client.send(.quit)
    case .bye(.quit, _, _, _): go(newcomer)
    case .bye(let code, _, _, _):
      context.metrics.wasClosed("newcomer \(code.rawValue)")
      go(newcomer)
    default: break
    }
  }

  private func go(_ newcomer: Newcomer) {
    newcomer.client.cut(.end)
    current[ObjectIdentifier(newcomer)] = nil
  }
}
