import Testing

@testable import Server

@Suite struct OwnedMatchTests {
  /// Appends so many entries, all of which are stored.
  private func match(entries: Int) -> OwnedMatch {
    let match = OwnedMatch(
      "d-b", sessions: [], begunBy: Life(node: "north", incarnation: 3))
    for number in 0..<entries {
      match.append(.event, Array("\(number)".utf8).span)
      var commands = RedisCommands()
      _ = match.addNext(to: &commands)
      _ = match.confirm()
    }
    return match
  }

  /// Compares a match with a stream that ends with an entry of the first term.
  private func compare(_ match: OwnedMatch, withTop number: Int?) -> Bool {
    let entry = number.map {
      RedisReply.array([.bulk(Array("1-\($0)".utf8)), .array([])])
    }
    var replies = [RedisReply.array([entry].compactMap(\.self))][...]
    return match.compare(with: &replies)
  }

  @Test func `a long match keeps its last entries only`() throws {
    let match = match(entries: 2 * OwnedMatch.keptEntries + 1)
    #expect(!match.isBehind)
    let last = 2 * OwnedMatch.keptEntries + 1
    #expect(compare(match, withTop: last - 5))
    for number in (last - 4)...last {
      #expect(match.isBehind)
      var commands = RedisCommands()
      _ = match.addNext(to: &commands)
      #expect(String(decoding: commands.bytes, as: UTF8.self).contains("\r\n1-\(number)\r\n"))
      // It was stored before.
      #expect(match.confirm() == nil)
    }
    #expect(!match.isBehind)
  }

  @Test func `a stream that lacks what is not kept any more cannot be repaired`() {
    let match = match(entries: 2 * OwnedMatch.keptEntries + 1)
    #expect(!compare(match, withTop: 1))
    #expect(!compare(match, withTop: nil))
  }

  @Test func `a shorter match can be written again as a whole`() {
    let match = match(entries: OwnedMatch.keptEntries)
    #expect(compare(match, withTop: nil))
    #expect(match.isBehind)
  }
}
