@testable import Server
@testable import Shared

/// All events of matches that any player was told, without what is only for one of them.
final class ToldLines {
  struct Line {
    let seq: Int
    let text: String
    /// The life of the node that told it first.
    let life: Life?
  }

  private var lines: [String: [Int: Line]] = [:]
  /// The lines that are gone with their owners: other ones may take their place.
  private var excused: [String: Set<Int>] = [:]
  /// The lines that some server of the engine had and has no more.
  private var dropped: [String: [String: Set<String>]] = [:]
  /// The records with tokens that some server of the engine had and has no more.
  private var droppedTokens: [String: Set<String>] = [:]
  private(set) var matches: [String] = []
  private(set) var count = 0

  /// All lines, in order.
  var all: [(match: String, lines: [Line])] { matches.map { ($0, lines(of: $0)) } }

  func lines(of match: String) -> [Line] {
    (lines[match] ?? [:]).values.sorted { $0.seq < $1.seq }
  }

  /// The number of the last event that anybody was told, and that stands.
  func lastSeq(of match: String) -> Int {
    lines(of: match).last { !isExcused($0, of: match) }?.seq ?? 0
  }

  func add(_ text: String, _ seq: Int, of match: String, by life: Life?) throws(ViolationError) {
    count += 1
    let line = Line(seq: seq, text: text, life: life)
    guard let known = lines[match]?[seq] else {
      if lines[match] == nil { matches.append(match) }
      lines[match, default: [:]][seq] = line
      return
    }
    guard known.text != text else { return }
    try require(
      isExcused(known, of: match), "told \(known.text) and then \(text)")
    lines[match]?[seq] = line
    excused[match]?.remove(seq)
  }

  func excuse(_ line: Line, of match: String) { excused[match, default: []].insert(line.seq) }

  func isExcused(_ line: Line, of match: String) -> Bool {
    excused[match]?.contains(line.seq) == true
  }

  /// Whether lines of a match were ever lost.
  func hasLost(_ match: String) -> Bool { excused[match] != nil }

  /// Whether a server of the engine had lines of a match and has them no more.
  func hasDropped(_ match: String) -> Bool { dropped[match] != nil }

  func drop(_ line: String, of match: String, at server: String) {
    dropped[match, default: [:]][line, default: []].insert(server)
  }

  func dropTokens(in record: String, of match: String) {
    droppedTokens[match, default: []].insert(record)
  }

  /// Whether a server of the engine had the hash of a token and has it no more.
  func hasDropped(token hash: String, of match: String) -> Bool {
    droppedTokens[match]?.contains { $0.contains(hash) } == true
  }

  func isDropped(_ line: String, of match: String) -> Bool {
    dropped[match]?[line] != nil
  }

  /// The servers that had a line and have it no more.
  func formerHolders(of line: String, of match: String) -> Set<String> {
    dropped[match]?[line] ?? []
  }
}
