import Shared

/// Which nodes are alive, as this one has seen it. No other clock is trusted, and no time-to-live:
/// a node is dead if its counter stood still for a while in which the engine answered again and
/// again. That only says when to try to take over its matches; whether it succeeds is decided by
/// the engine.
struct NodeWatch {
  /// How long a counter must stand still.
  static let deathTime: Duration = .seconds(5)
  /// With a counter that has stood still for this long, a node may be dead, and nobody is sent to
  /// it.
  static let doubtTime: Duration = .seconds(3)
  /// How long a life is new: a balancer before the node may not have noticed it yet.
  static let newTime: Duration = .seconds(2)
  /// With a longer time between two looks, this node or the engine was away, and what stood still
  /// meanwhile shows nothing.
  static let maxGap: Duration = .seconds(2)

  private struct Sight {
    var entry: NodeEntry
    /// How long it has had the same counter.
    var still: Duration
    /// When this life was first seen; `nil` if it was there before this node looked.
    let firstSeen: Duration?
  }

  private var sights: [String: Sight] = [:]
  private var last: Duration?

  /// Takes up what the engine has just answered, by the names of the nodes. `now` is this process's
  /// own clock, which goes on while it is stopped.
  mutating func observe(_ entries: [String: NodeEntry], at now: Duration) {
    let gap = last.map { now - $0 }
    last = now
    sights = Dictionary(
      uniqueKeysWithValues: entries.map { name, entry in
        let before = sights[name]
        var still = Duration.zero
        if let gap, gap <= Self.maxGap, let before, before.entry.isStill(as: entry) {
          still = before.still + gap
        }
        let isSeen = before?.entry.incarnation == entry.incarnation
        let firstSeen = isSeen ? before?.firstSeen : gap.map { _ in now }
        return (name, Sight(entry: entry, still: still, firstSeen: firstSeen))
      })
  }

  /// What a node has said last; `nil` if it is not registered.
  subscript(name: String) -> NodeEntry? { sights[name]?.entry }

  /// Whether a life of a node goes on, as far as this node knows.
  func isAlive(_ life: Life) -> Bool {
    guard let sight = sights[life.node] else { return false }
    return sight.entry.incarnation == life.incarnation && sight.still < Self.deathTime
  }

  /// Whether nothing speaks against a life of a node. One that has not been seen yet has just
  /// begun.
  func isResponsive(_ life: Life) -> Bool {
    guard let sight = sights[life.node], sight.entry.incarnation == life.incarnation else {
      return true
    }
    return sight.still < Self.doubtTime
  }

  /// How often a life that has just begun has shown itself, as far as this node knows; `nil` for
  /// any other life.
  func renewals(ofNew life: Life) -> Int? {
    guard let last else { return nil }
    guard let sight = sights[life.node] else { return 0 }
    guard sight.entry.incarnation == life.incarnation else {
      return sight.entry.incarnation < life.incarnation ? 0 : nil
    }
    guard let firstSeen = sight.firstSeen, last - firstSeen < Self.newTime else { return nil }
    return sight.entry.counter
  }

  /// The names of the nodes that are alive, in order.
  var alive: [String] { sights.filter { $0.value.still < Self.deathTime }.keys.sorted() }

  /// The nodes that are registered, but dead.
  var dead: [String: NodeEntry] {
    sights.filter { $0.value.still >= Self.deathTime }.mapValues(\.entry)
  }

  /// Returns the live node that takes over a match whose owner has died: the one with the highest
  /// hash of both (rendezvous hashing), so that all nodes name the same one without a word, and the
  /// matches of a dead node go to all of them; `nil` if none is alive.
  func heir(of match: String) -> String? {
    alive.max { Self.weight($0, match) < Self.weight($1, match) }
  }

  private static func weight(_ node: String, _ match: String) -> String {
    SHA256.digits(of: "\(node) \(match)")
  }
}

extension NodeEntry {
  /// Whether the node has not renewed its entry since.
  fileprivate func isStill(as other: NodeEntry) -> Bool {
    incarnation == other.incarnation && counter == other.counter
  }
}
