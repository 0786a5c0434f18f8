import Shared

/// The latest events of a match as lines, for who has missed some. It keeps at most `capacity`
/// bytes of them, and always the last.
struct EventRecord {
  /// How many bytes of lines are kept: a game of nine moves. Who has missed more is told how the match
  /// stands, in one line.
  static let capacity = 1_536
  /// Room for the line that makes it too many, unless somebody has said much.
  private static let slack = 160

  /// The number of the last event, which counts from 1; 0 before the first.
  private(set) var seq = 0
  private var lines: [UInt8] = []
  /// The oldest first.
  private var entries: [Entry] = []

  private struct Entry {
    /// Of the line, in bytes.
    let length: UInt16
    let marks: Marks
  }

  /// Whose marks a line's copies tell: those of an odd game of the series, or of an even one.
  enum Marks: UInt8 {
    case none, ofOddGame, ofEvenGame
  }

  /// The number of the first event that is still there.
  var first: Int { seq - entries.count + 1 }

  /// Adds the next event; `encode` appends its line, LF included, without anybody's mark.
  mutating func append(
    marks: Marks, _ encode: (_ seq: Int, _ line: inout [UInt8]) -> Void
  ) {
    let start = lines.count
    seq += 1
    encode(seq, &lines)
    didAppend(from: start, marks)
  }

  /// Adds what a move has done; a call of its own, so that nothing is copied on the hot path.
  mutating func append(_ change: Change, left: Duration?, match: String) {
    let start = lines.count
    seq += 1
    EventEncoder.append(change, left: left, match: match, seq: seq, to: &lines)
    didAppend(from: start, .none)
  }

  private mutating func didAppend(from start: Int, _ marks: Marks) {
    entries.append(Entry(length: UInt16(lines.count - start), marks: marks))
    if lines.capacity < Self.capacity + Self.slack {
      lines.reserveCapacity(Self.capacity + Self.slack)
    }
    guard lines.count > Self.capacity else { return }
    var dropped = 0
    var count = 0
    // Half of it at once, so that moving what stays is rare.
    while count < entries.count - 1, lines.count - dropped > Self.capacity / 2 {
      dropped += Int(entries[count].length)
      count += 1
    }
    lines.removeFirst(dropped)
    entries.removeFirst(count)
  }

  /// Calls `body` with the line of the last event.
  func withLast(_ body: (_ line: Span<UInt8>, _ marks: Marks) -> Void) {
    guard let entry = entries.last else { return }
    body(lines.span.extracting(last: Int(entry.length)), entry.marks)
  }

  /// Calls `body` with each line after event `seq`; answers `false`, without a call, where there
  /// are none or not all of them are kept.
  func forEach(
    after seq: Int, _ body: (_ line: Span<UInt8>, _ marks: Marks) -> Void
  ) -> Bool {
    guard seq < self.seq, seq >= first - 1 else { return false }
    var start = 0
    for (index, entry) in entries.enumerated() {
      let end = start + Int(entry.length)
      if first + index > seq { body(lines.span.extracting(start..<end), entry.marks) }
      start = end
    }
    return true
  }
}
