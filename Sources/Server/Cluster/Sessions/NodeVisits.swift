import Shared

/// Decides whom this node may send to another one: nobody to a node that does not show itself, and
/// nobody again and again to a node where they do not arrive.
final class NodeVisits {
  /// For how long a session that did not reach a node, and a token that was sent to one, is not
  /// sent there again. By then the node has shown itself, or nobody is sent to it any more. It is
  /// not longer, because the line that sends somebody may be lost with the node that writes it.
  static let missTime: Duration = NodeWatch.doubtTime + .seconds(1)

  /// Whether a node has shown itself lately.
  var isResponsive: (Life) -> Bool = { _ in true }
  /// How often a node that has just begun has shown itself; `nil` for any other.
  var renewals: (_ ofNew: Life) -> Int? = { _ in nil }
  private let engine: any Redis
  private let timers: any Timers
  private let address: String
  /// The nodes that sessions here have not reached, by the ids of the sessions.
  private var misses: [String: (node: String, end: Duration)] = [:]

  /// `address` is where clients reach this node.
  init(engine: any Redis, timers: any Timers, address: String) {
    self.engine = engine
    self.timers = timers
    self.address = address
  }

  /// Whether a session may go to another node now.
  func mayGo(_ session: Session, by route: Route) -> Bool {
    guard case .elsewhere(let other, _, _) = route, canReach(route) else { return false }
    guard let miss = misses[session.id], miss.end > timers.now else { return true }
    return miss.node != other.node
  }

  /// A session has arrived here that was on its way to another node.
  func didMiss(_ node: String, _ id: String) {
    misses = misses.filter { $0.value.end > timers.now }
    misses[id] = (node, timers.now + Self.missTime)
  }

  /// Sends the client of a token to the node that has its session. With one token it is sent to a
  /// node once: at its `resume` there it would have got another one. If the node has just begun,
  /// the balancer before it may have refused the client, because it did not know the node yet. So
  /// the client is sent there once more for each time that the new node shows itself.
  func begin(
    by route: Route, of id: String, _ secret: Token, answer: @escaping (Route) -> Void
  ) {
    guard case .elsewhere(let other, _, _) = route else { return answer(route) }
    guard canReach(route) else { return answer(.refused(.nodeIsAway)) }
    engine.ask(
      "SET", key(of: id, secret, at: other), "1", "NX", "PX", String(Self.missTime.milliseconds)
    ) { reply in
      switch reply {
      case .status: answer(route)
      case .null: answer(.refused(.nodeIsAway))
      default: answer(.refused(.engineIsAway))
      }
    }
  }

  /// A client was not told to go to another node after all, so it may be told later.
  func forget(_ route: Route, of id: String, _ secret: Token) {
    guard case .elsewhere(let other, _, _) = route else { return }
    engine.ask("DEL", key(of: id, secret, at: other)) { _ in }
  }

  /// The key that says that a client was sent to a node with a token.
  private func key(of id: String, _ secret: Token, at other: Life) -> String {
    let key = "r:\(id) \(secret.hash) \(other.text)"
    return renewals(other).map { "\(key) \($0)" } ?? key
  }

  /// Whether it makes sense to send anybody to a node: it has shown itself lately, and its address
  /// is not that of this node.
  private func canReach(_ route: Route) -> Bool {
    guard case .elsewhere(let other, let address, _) = route else { return true }
    return isResponsive(other) && address != self.address
  }
}
