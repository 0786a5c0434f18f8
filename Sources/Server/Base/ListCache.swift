import Shared

/// The replies to `list`. A long list costs a hundred times as much as other lines, so it is
/// encoded once for all clients that ask within 250 ms.
final class ListCache {
  /// The maximum number of items in a line: these are the shortest possible items.
  static let maxPlayers = ProtocolLimits.maxEventLine / #"{"name":"a","place":"lobby"},"#.utf8.count
  static let maxMatches =
    ProtocolLimits.maxEventLine
    / #"{"match":"aaaa","game":"a","players":{"X":"a","O":"b"},"running":true},"#.utf8.count
  /// Lists of up to this many items are never kept, so they are always current.
  static let maxFreshItems = 100
  /// How long a longer list is kept.
  static let maxAge: Duration = .milliseconds(250)

  private let timers: any Timers
  private var kept: [Kind: (line: [UInt8], time: Duration)] = [:]

  /// A line with `re` has room for fewer items.
  private struct Kind: Hashable {
    let what: Listing
    let hasReplyID: Bool
  }

  init(timers: any Timers) {
    self.timers = timers
  }

  /// Returns the line of a list, without its `re`. If no line is kept, it calls `make` for the
  /// list.
  func line(_ what: Listing, hasReplyID: Bool, _ make: () -> Event) -> [UInt8] {
    let kind = Kind(what: what, hasReplyID: hasReplyID)
    if let (line, time) = kept[kind], timers.now - time < Self.maxAge { return line }
    let event = make()
    let room = hasReplyID ? EventEncoder.maxReplyIDField : 0
    var line: [UInt8] = []
    EventEncoder.append(event, maxListBytes: ProtocolLimits.maxEventLine - room, to: &line)
    kept[kind] = event.itemCount > Self.maxFreshItems ? (line, timers.now) : nil
    return line
  }
}

extension Event {
  /// The number of items of the list, including those that do not fit into its line.
  fileprivate var itemCount: Int {
    switch self {
    case .players(let list): list.total
    case .matches(let list): list.total
    default: 0
    }
  }
}
