import Shared

/// The latest events of a match, for who has missed some: moves and beginnings of games as what they
/// are, all others as lines. Who has missed more is told how the match stands, in one line.
struct EventRecord {
  /// Most events that are kept: a game of nine moves with all around it, in a piece of memory that an
  /// array doubles to.
  static let mostEvents = 16
  /// Most bytes of lines that are kept, but that the last event always is. Only who chats comes near
  /// it: the end of a game takes some 200.
  static let mostBytes = 2_048

  /// The number of the last event, which counts from 1; 0 before the first.
  private(set) var seq = 0
  /// The oldest first.
  private var entries: [Entry] = []
  private var lines: [UInt8] = []

  private enum Entry {
    case move(RecordedMove)
    case beginning(RecordedBeginning)
    /// The next line, of so many bytes.
    case line(length: UInt16)
  }

  /// The number of the first event that is still there.
  var first: Int { seq - entries.count + 1 }

  /// Adds the next event, its line, LF included, which is the same for all.
  mutating func append(_ line: Span<UInt8>) {
    if lines.count + line.count > Self.mostBytes { drop(forBytes: line.count) }
    // Just that much: there are many matches.
    lines.reserveCapacity(lines.count + line.count)
    line.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
    append(.line(length: UInt16(line.count)))
  }

  /// Adds what a move has done.
  mutating func append(_ move: RecordedMove) {
    append(.move(move))
  }

  /// Adds the beginning of a game.
  mutating func append(_ beginning: RecordedBeginning) {
    append(.beginning(beginning))
  }

  /// Adds an event that cannot be kept: it and all before it are lost.
  mutating func appendNothing() {
    seq += 1
    entries = []
    lines = []
  }

  private mutating func append(_ entry: Entry) {
    seq += 1
    if entries.count == Self.mostEvents { drop(forBytes: 0) }
    entries.append(entry)
  }

  /// Half of it at once, so that moving what stays is rare, and more where so many bytes need it.
  private mutating func drop(forBytes bytes: Int) {
    var dropped = 0
    var count = 0
    while count < entries.count,
      count < Self.mostEvents / 2 || lines.count - dropped + bytes > Self.mostBytes
    {
      if case .line(let length) = entries[count] { dropped += Int(length) }
      count += 1
    }
    lines = Array(lines.dropFirst(dropped))
    entries.removeFirst(count)
  }

  /// Calls `body` with the line of each event of the match after `seq`, and for the beginning of a
  /// game, which `picture` shows, whether it is one of odd number: then each player has a mark to be
  /// told. Answers `false`, without a call, where there are none or not all of them are kept.
  func forEach(
    after seq: Int, in match: String, picture: (RecordedBeginning) -> GamePicture,
    _ body: (_ line: Span<UInt8>, _ isOdd: Bool?) -> Void
  ) -> Bool {
    guard seq < self.seq, seq >= first - 1 else { return false }
    var start = 0
    for (index, entry) in entries.enumerated() {
      let number = first + index
      switch entry {
      case .line(let length):
        let end = start + Int(length)
        if number > seq { body(lines.span.extracting(start..<end), nil) }
        start = end
      case .move(let move) where number > seq:
        EventEncoder.withLine(move.change, left: move.left, match: match, seq: number) {
          body($0, nil)
        }
      case .beginning(let beginning) where number > seq:
        var line: [UInt8] = []
        EventEncoder.append(
          MatchEvent(match: match, seq: number, .gameDidStart(picture(beginning))), to: &line)
        body(line.span, beginning.isOdd)
      case .move, .beginning: break
      }
    }
    return true
  }
}
