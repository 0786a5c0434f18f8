import Shared

/// The latest events of a match, for a client that has missed some. Moves, beginnings and ends of
/// games are kept as compact values, other events as lines. A client that has missed more gets a
/// snapshot.
struct EventHistory {
  /// The maximum number of events: enough for a game of nine moves with its other events. It is a
  /// power of two, because the capacity of an array doubles.
  static let maxEvents = 16
  /// The maximum number of bytes of lines. The last event is always kept. Only chat and lost
  /// connections make lines.
  static let maxBytes = 2_048

  /// The number of the last event, which counts from 1; 0 before the first.
  private(set) var seq = 0
  /// The number of the first event that is kept.
  private(set) var first = 1
  /// A ring buffer: event n is at index (n − `start`) modulo `maxEvents`.
  private var entries: [Entry] = []
  private var start = 1
  /// The oldest line first.
  private var lines: [UInt8] = []

  /// Takes eight bytes, like a move.
  private enum Entry {
    case move(CompactMove)
    case beginning(CompactBeginning)
    case ending(CompactEnding)
    /// A line, with its number of bytes.
    case line(length: UInt16)
  }

  /// Adds the next event as a line with its LF, the same for all receivers.
  mutating func append(_ line: Span<UInt8>) {
    guard let length = UInt16(exactly: line.count) else { return appendGap() }
    while first <= seq, lines.count + line.count > Self.maxBytes { dropFirst() }
    // Exactly as much as needed, because there are many matches.
    lines.reserveCapacity(lines.count + line.count)
    line.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
    append(.line(length: length))
  }

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

  /// Adds an event that cannot be kept. All earlier events are dropped too.
  mutating func appendGap() {
    seq += 1
    first = seq + 1
    start = first
    entries = []
    lines = []
  }

  private mutating func append(_ entry: Entry) {
    // The new event takes the slot of the oldest one.
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

  /// Calls `body` with the line of each event after `seq`. The line of the beginning of a game is
  /// made from the result of `state`. For such a line, `body` also gets who had which mark.
  /// `timeLimit` is the time for a move.
  ///
  /// - Returns: false, without a call, if there are no such events or not all of them are kept.
  func forEach(
    after seq: Int, in match: QuotedName, timeLimit: EncodedTime?,
    state: (CompactBeginning) -> GameState,
    _ body: (_ line: Span<UInt8>, _ order: MarkOrder?) -> Void
  ) -> Bool {
    guard seq < self.seq, seq >= first - 1 else { return false }
    var start = 0
    for number in first...self.seq {
      switch entries[index(of: number)] {
      case .line(let length):
        let end = start + Int(length)
        if number > seq { body(lines.span.extracting(start..<end), nil) }
        start = end
      case .move(let move) where number > seq:
        EventEncoder.withLine(move.change, timeLimit: timeLimit, match: match, seq: number) {
          body($0, nil)
        }
      case .beginning(let beginning) where number > seq:
        EventEncoder.withLine(
          state(beginning), timeLeft: timeLimit, match: match, seq: number
        ) {
          body($0, beginning.order)
        }
      case .ending(let ending) where number > seq:
        let event = MatchEvent.Body.gameDidEnd(ending.outcome, ending.score)
        EventEncoder.withLine(event, match: match, seq: number) { body($0, nil) }
      case .move, .beginning, .ending: break
      }
    }
    return true
  }
}
