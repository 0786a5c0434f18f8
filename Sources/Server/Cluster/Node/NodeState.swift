import Shared

/// Whether a node is alive, and what follows from each answer of the engine and from the time that
/// passes. A value: `ClusterNode` asks the engine, and has the actions carried out.
struct NodeState {
  /// Without a renewal for so long, this node says nothing to any client until it has one: others
  /// may soon take it for dead.
  static let silenceTime: Duration = .seconds(4)
  /// Without a renewal for so long, it gives up its matches and sessions: others may have them.
  static let standDownTime: Duration = .seconds(5)

  /// What has to be done.
  enum Action: Equatable {
    /// A life begins. Then clients are welcome.
    case join(Life)
    /// Nothing may be said to any client until `release`.
    case hold
    /// A renewal has shown that the life goes on, after a new connection to the engine or `hold`.
    /// The streams of the matches have to be compared.
    case release
    /// The life has ended: all that the node had may be somebody else's now.
    case standDown
    /// Another process has taken the node's name. The node has left.
    case standDownForGood
    /// Another process with the node's name is alive at another address. The node does not join.
    case reportNameInUse(address: String)
    /// A node is dead.
    case bury(String, NodeEntry)
    /// A renewal is over. These lives have ended, and may have left matches.
    case look(ended: [Life])
  }

  private enum Stage {
    case away
    case alive(Life)
    /// Alive as far as it knows, but silent.
    case silent(Life)
    case left
  }

  let name: String
  private var stage = Stage.away
  /// The largest incarnation that this process has seen.
  private(set) var lastIncarnation = 0
  private(set) var watch = NodeWatch()
  /// What stands under the name of this node but has another address, and since when it stands
  /// still.
  private var namesake: (entry: NodeEntry, since: Duration)?
  /// When the last renewal that was answered had been sent.
  private var renewal = Duration.zero
  /// How long the engine has taken to answer it.
  private(set) var roundTrip = Duration.zero
  /// Whether the streams of matches have to be compared: the connection is new.
  private var needsRelease = false

  init(name: String) {
    self.name = name
  }

  /// The life that goes on; `nil` while the node is away.
  var life: Life? {
    switch stage {
    case .alive(let life), .silent(let life): life
    case .away, .left: nil
    }
  }

  /// Whether what the node knows of the cluster can be told.
  var isAlive: Bool {
    if case .alive = stage { true } else { false }
  }

  /// Whether the node may join.
  var isAway: Bool {
    if case .away = stage { true } else { false }
  }

  /// Whether a renewal has been answered over the connection to the engine. Only then does a `WAIT`
  /// mean anything: before its first write a connection has nothing to wait for.
  var isReleased: Bool { isAlive && !needsRelease }

  /// The moment of another process with the node's name, which has been dead for long enough; `nil`
  /// if there is none.
  func deadNamesake(at now: Duration) -> String? {
    namesake.flatMap { now - $0.since >= NodeWatch.deathTime ? $0.entry.moment : nil }
  }

  /// There is a new connection to the engine.
  mutating func didConnect() { needsRelease = true }

  mutating func leave() { stage = .left }

  /// The time goes on.
  mutating func check(at now: Duration) -> Action? {
    let age = now - renewal
    switch stage {
    case .alive, .silent:
      if age >= Self.standDownTime {
        stage = .away
        return .standDown
      }
      guard case .alive(let life) = stage, age >= Self.silenceTime else { return nil }
      stage = .silent(life)
      return .hold
    case .away, .left: return nil
    }
  }

  /// The engine has answered the `join` that was sent at a time, or has not.
  mutating func didJoin(_ reply: RedisReply?, sent: Duration, at now: Duration) -> Action? {
    guard isAway else { return nil }
    if let entry = reply?.text.flatMap(NodeEntry.init) { return didMeet(entry, at: now) }
    guard let incarnation = reply?.number else { return nil }
    namesake = nil
    let life = Life(node: name, incarnation: incarnation)
    lastIncarnation = max(lastIncarnation, incarnation)
    renewal = sent
    stage = .alive(life)
    // Without matches there is nothing to compare.
    needsRelease = false
    return .join(life)
  }

  /// A node with this name stands in the engine, at another address. It is alive if its counter
  /// goes up; otherwise it has died there, and this process may take the name.
  private mutating func didMeet(_ entry: NodeEntry, at now: Duration) -> Action? {
    guard let before = namesake else {
      namesake = (entry, now)
      return nil
    }
    guard before.entry.moment != entry.moment else { return nil }
    stage = .left
    return .reportNameInUse(address: entry.address)
  }

  /// The engine has answered a renewal of this life.
  mutating func didRenew(
    _ life: Life, _ reply: RedisReply, sent: Duration, at now: Duration
  ) -> [Action] {
    switch reply.number {
    case 0:
      stage = .away
      return [.standDown]
    case .some:
      stage = .left
      return [.standDownForGood]
    case nil: break
    }
    // The answer may be so old that it says nothing.
    guard let parts = reply.elements, parts.count == 2, now - sent < Self.silenceTime else {
      return []
    }
    renewal = sent
    roundTrip = now - sent
    let entries = Self.entries(in: parts[0])
    watch.observe(entries, at: now)
    lastIncarnation = max(lastIncarnation, entries.values.map(\.incarnation).max() ?? 0)
    let isReleased = isReleased
    stage = .alive(life)
    needsRelease = false
    let dead = watch.dead.sorted { $0.key < $1.key }.filter { $0.key != name }
    let ended = (parts[1].elements ?? []).compactMap { $0.text.flatMap(Life.init) }
      .filter { watch[$0.node]?.incarnation != $0.incarnation }
    return (isReleased ? [] : [.release]) + dead.map { .bury($0.key, $0.value) }
      + [.look(ended: ended)]
  }

  private static func entries(in reply: RedisReply) -> [String: NodeEntry] {
    let words = (reply.elements ?? []).map { $0.text ?? "" }
    var entries: [String: NodeEntry] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      entries[words[index]] = NodeEntry(words[index + 1])
    }
    return entries
  }
}
