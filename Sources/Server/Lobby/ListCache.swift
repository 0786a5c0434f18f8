import Shared

/// The answers to `list`. A long one costs a hundred times what other lines do, so it is encoded once
/// for all who ask within a quarter of a second.
final class ListCache {
  /// Most items that can fit into a line, for none is shorter.
  static let maxPlayers = ProtocolLimits.maxEventLine / #"{"name":"a","place":"lobby"},"#.utf8.count
  static let maxMatches =
    ProtocolLimits.maxEventLine
    / #"{"match":"aaaa","game":"a","players":{"X":"a","O":"b"},"running":true},"#.utf8.count
  /// Lists of up to this many items always show what is there now.
  static let maxFreshItems = 100
  /// How long a longer one is kept.
  static let maxAge: Duration = .milliseconds(250)

  private let timers: any Timers
  private var kept: [Kind: (line: [UInt8], time: Duration)] = [:]

  /// An answer with `re` has room for fewer items.
  private struct Kind: Hashable {
    let what: Listing
    let hasReply: Bool
  }

  init(timers: any Timers) {
    self.timers = timers
  }

  /// Returns the line of a list, without its `re`. Where no line is kept, `make` returns the list.
  func line(_ what: Listing, hasReply: Bool, _ make: () -> Event) -> [UInt8] {
    let kind = Kind(what: what, hasReply: hasReply)
    if let (line, time) = kept[kind], timers.now - time < Self.maxAge { return line }
    let event = make()
    let room = hasReply ? EventEncoder.longestReply : 0
    var line: [UInt8] = []
    EventEncoder.append(event, longestList: ProtocolLimits.maxEventLine - room, to: &line)
    kept[kind] = event.itemCount > Self.maxFreshItems ? (line, timers.now) : nil
    return line
  }
}

extension Event {
  /// How many items the list has, shown or not.
  fileprivate var itemCount: Int {
    switch self {
    case .players(let list): list.items.count + list.more
    case .matches(let list): list.items.count + list.more
    default: 0
    }
  }
}
