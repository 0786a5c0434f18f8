import Shared

/// The players and matches of all nodes, for `list`. Each node writes its own every two seconds, as
/// the very lines of `list`.
final class ClusterLists {
  static let period: Duration = .seconds(2)

  /// Returns this node's own list.
  var own: (Listing) -> Event = { _ in .games(Page([])) }
  private let engine: any Redis
  private let timers: any Timers
  private let node: ClusterNode
  private var lastTime: Duration?
  private var lastLines: [[UInt8]] = []
  /// What the other nodes had written a moment ago.
  private var others: (events: [Event], time: Duration)?

  init(engine: any Redis, timers: any Timers, node: ClusterNode) {
    self.engine = engine
    self.timers = timers
    self.node = node
  }

  /// Called after each renewal. Writes this node's lists, if they have changed.
  func publish() {
    guard node.life != nil, lastTime.map({ timers.now - $0 >= Self.period }) ?? true else { return }
    lastTime = timers.now
    let lines = [Listing.players, .matches].map { what in
      var line: [UInt8] = []
      EventEncoder.append(own(what), maxListBytes: ProtocolLimits.maxEventLine, to: &line)
      return line
    }
    guard lines != lastLines else { return }
    var commands = RedisCommands()
    commands.begin(words: 4)
    commands.add(word: "HSET")
    commands.add(word: "list:\(node.name)")
    // Both in one field, so that no reader gets a half.
    commands.add(word: "lines")
    commands.add(word: lines[0] + lines[1])
    engine.send(commands, confirmed: .never) { [weak self] replies in
      if replies != nil { self?.lastLines = lines }
    }
  }

  /// A new life begins, or the engine may have lost what was written.
  func didConnect() { lastLines = [] }

  /// Reads the lists of the other nodes, each at most once in `ListCache.maxAge`. Without an answer
  /// of the engine there are none.
  func readOthers(answer: @escaping ([Event]) -> Void) {
    if let others, timers.now - others.time < ListCache.maxAge { return answer(others.events) }
    let names = node.watch.alive.filter { $0 != node.name }
    guard !names.isEmpty else { return answer([]) }
    var commands = RedisCommands()
    for name in names { commands.add("HGET", "list:\(name)", "lines") }
    engine.send(commands, confirmed: .never) { [weak self] replies in
      guard let self else { return }
      let events = (replies ?? []).flatMap(Self.events)
      others = (events, timers.now)
      answer(events)
    }
  }

  private static func events(in reply: RedisReply) -> [Event] {
    guard case .bulk(let bytes) = reply else { return [] }
    var decoder = EventDecoder()
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? decoder.decode(Array(line).span).event
    }
  }
}

extension Event {
  /// Returns this list with the items of another one, if that is of its kind.
  func joined(with other: Event) -> Event {
    switch (self, other) {
    case (.players(let mine), .players(let others)):
      .players(mine.joined(with: others, by: \.name))
    case (.matches(let mine), .matches(let others)):
      .matches(mine.joined(with: others, by: \.match))
    default: self
    }
  }
}

extension Page {
  /// A player who has just moved is in two lists for a moment, and only counts in this one.
  fileprivate func joined(with other: Page, by key: KeyPath<Item, String>) -> Page {
    let known = Set(items.map { $0[keyPath: key] })
    let others = other.items.filter { !known.contains($0[keyPath: key]) }
    return Page(items + others, more: more + other.more)
  }
}
