import Shared

/// The latest events of a match, for who has missed some: moves as what they are, all others as
/// lines. Who has missed more is told how the match stands, in one line.
struct EventRecord {
  /// Most events that are kept: two games of nine moves. With one more, twice as much memory is none
  /// the less enough for sixteen: an array doubles.
  static let mostEvents = 31
  /// Most bytes of lines that are kept, but that the last event always is.
  static let mostBytes = 1_024

  /// The number of the last event, which counts from 1; 0 before the first.
  private(set) var seq = 0
  /// The oldest first.
  private var entries: [Entry] = []
  private var lines: [UInt8] = []

  private enum Entry {
    case move(RecordedMove)
    /// The next line, of so many bytes.
    case line(length: UInt16, Marks)
  }

  /// Whose marks a line's copies tell: those of an odd game of the series, or of an even one.
  enum Marks: UInt8 {
    case none, ofOddGame, ofEvenGame
  }

  /// The number of the first event that is still there.
  var first: Int { seq - entries.count + 1 }

  /// Adds the next event, its line, LF included, without anybody's mark.
  mutating func append(_ line: [UInt8], marks: Marks) {
    // Just that much: there are many matches.
    lines.reserveCapacity(lines.count + line.count)
    lines += line
    append(.line(length: UInt16(line.count), marks))
  }

  /// Adds what a move has done.
  mutating func append(_ move: RecordedMove) {
    append(.move(move))
  }

  private mutating func append(_ entry: Entry) {
    seq += 1
    entries.append(entry)
    if entries.count > Self.mostEvents || lines.count > Self.mostBytes { drop() }
  }

  /// Half of it at once, so that moving what stays is rare.
  private mutating func drop() {
    var dropped = 0
    var count = 0
    while count < entries.count - 1,
      entries.count - count > Self.mostEvents / 2 || lines.count - dropped > Self.mostBytes / 2
    {
      if case .line(let length, _) = entries[count] { dropped += Int(length) }
      count += 1
    }
    lines.removeFirst(dropped)
    entries.removeFirst(count)
  }

  /// Calls `body` with the line of each event of the match after `seq`; answers `false`, without a
  /// call, where there are none or not all of them are kept.
  func forEach(
    after seq: Int, in match: String, _ body: (_ line: Span<UInt8>, _ marks: Marks) -> Void
  ) -> Bool {
    guard seq < self.seq, seq >= first - 1 else { return false }
    var start = 0
    for (index, entry) in entries.enumerated() {
      let isWanted = first + index > seq
      switch entry {
      case .move(let move):
        guard isWanted else { continue }
        EventEncoder.withLine(
          move.change, left: move.left, match: match, seq: first + index
        ) { body($0, .none) }
      case .line(let length, let marks):
        let end = start + Int(length)
        if isWanted { body(lines.span.extracting(start..<end), marks) }
        start = end
      }
    }
    return true
  }
}
