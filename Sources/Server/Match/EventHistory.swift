import Shared

/// The latest events of a match, for who has missed some: moves, beginnings and ends of games as what
/// they are, all others as lines. Who has missed more is told how the match stands, in one line.
struct EventHistory {
  /// Most events that are kept: a game of nine moves with all around it, in a piece of memory that an
  /// array doubles to; a power of two.
  static let maxEvents = 16
  /// Most bytes of lines that are kept, but that the last event always is. Only who chats, or comes and
  /// goes, has any.
  static let maxBytes = 2_048

  /// The number of the last event, which counts from 1; 0 before the first.
  private(set) var seq = 0
  /// The number of the first event that is still there.
  private(set) var first = 1
  /// A ring: event n stands at (n − `start`) modulo `maxEvents`.
  private var entries: [Entry] = []
  private var start = 1
  /// The oldest first.
  private var lines: [UInt8] = []

  private enum Entry {
    case move(CompactMove)
    case beginning(CompactBeginning)
    case ending(CompactEnding)
    /// The next line, of so many bytes.
    case line(length: UInt16)
  }

  /// Adds the next event, its line, LF included, which is the same for all.
  mutating func append(_ line: Span<UInt8>) {
    guard let length = UInt16(exactly: line.count) else { return appendNothing() }
    while first <= seq, lines.count + line.count > Self.maxBytes { dropFirst() }
    // Just that much: there are many matches.
    lines.reserveCapacity(lines.count + line.count)
    line.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
    append(.line(length: length))
  }

  /// Adds what a move has done.
  mutating func append(_ move: CompactMove) {
    append(.move(move))
  }

  /// Adds the beginning of a game.
  mutating func append(_ beginning: CompactBeginning) {
    append(.beginning(beginning))
  }

  /// Adds the end of a game.
  mutating func append(_ ending: CompactEnding) {
    append(.ending(ending))
  }

  /// Adds an event that cannot be kept: it and all before it are lost.
  mutating func appendNothing() {
    seq += 1
    first = seq + 1
    start = first
    entries = []
    lines = []
  }

  private mutating func append(_ entry: Entry) {
    // The place of the new event is that of the one which has to go.
    if seq &- first == Self.maxEvents &- 1 { dropFirst() }
    seq &+= 1
    let index = index(of: seq)
    if index < entries.count { entries[index] = entry } else { entries.append(entry) }
  }

  @inline(__always)
  private mutating func dropFirst() {
    if case .line(let length) = entries[index(of: first)] { lines.removeFirst(Int(length)) }
    first &+= 1
  }

  private func index(of number: Int) -> Int { (number &- start) & (Self.maxEvents - 1) }

  /// Calls `tell` with the line of each event of the match after `seq`, and for the beginning of a
  /// game, which `state` shows, whether it is one of odd number: then each player has a mark to be
  /// told. Answers `false`, without a call, where there are none or not all of them are kept.
  func forEach(
    after seq: Int, in match: QuotedName, state: (CompactBeginning) -> GameState,
    _ tell: (_ line: Span<UInt8>, _ isOdd: Bool?) -> Void
  ) -> Bool {
    guard seq < self.seq, seq >= first - 1 else { return false }
    var start = 0
    for number in first...self.seq {
      switch entries[index(of: number)] {
      case .line(let length):
        let end = start + Int(length)
        if number > seq { tell(lines.span.extracting(start..<end), nil) }
        start = end
      case .move(let move) where number > seq:
        EventEncoder.withLine(move.change, timeLeft: move.timeLeft, match: match, seq: number) {
          tell($0, nil)
        }
      case .beginning(let beginning) where number > seq:
        EventEncoder.withLine(state(beginning), match: match, seq: number) {
          tell($0, beginning.isOdd)
        }
      case .ending(let ending) where number > seq:
        let body = MatchEvent.Body.gameDidEnd(ending.outcome, ending.score)
        EventEncoder.withLine(body, match: match, seq: number) { tell($0, nil) }
      case .move, .beginning, .ending: break
      }
    }
    return true
  }
}
