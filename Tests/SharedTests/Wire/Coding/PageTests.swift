import Shared
import Testing

/// Lists that do not fit into one line.
struct PageTests {
  static func players(_ count: Int, nameLength: Int = 10) -> [PlayerSummary] {
    (0..<count).map { index in
      let digits = String(index)
      let name = String(repeating: "p", count: nameLength - digits.count) + digits
      return PlayerSummary(name: name, place: .lobby, game: nil)
    }
  }

  @Test func `as many items as fit are written, and the others are counted`() throws {
    let all = Self.players(5000)
    for re in [nil, RequestID.integer(7), .text(String(repeating: "\u{1}", count: 32))] {
      let written = line(.players(Page(all, more: 2)), re: re)
      guard case .players(let list) = try received(written).event else {
        Issue.record("another event")
        return
      }
      #expect(list.items == Array(all.prefix(list.items.count)))
      #expect(list.items.count + list.more == 5002)
      let item = #",{"name":"pppppp1234","place":"lobby"}"#.utf8.count
      let count = written.utf8.count + 1
      #expect(count <= ProtocolLimits.maxEventLine && count + item > ProtocolLimits.maxEventLine)
    }
  }

  @Test func `a list that fits to the byte is complete`() throws {
    var all = Self.players(1500)
    // 1,500 items, and a last one whose name makes the line exactly as long as allowed.
    func lineLength(_ last: Int) -> Int {
      line(.players(Page(all + [Self.last(last)]))).utf8.count + 1
    }
    let room = ProtocolLimits.maxEventLine - lineLength(0)
    try #require(room > 0)
    #expect(lineLength(room) == ProtocolLimits.maxEventLine)
    #expect(!line(.players(Page(all + [Self.last(room)]))).contains("more"))
    #expect(line(.players(Page(all + [Self.last(room + 1)]))).hasSuffix(#"],"more":1}"#))
    all.append(Self.last(room))
    #expect(line(.players(Page(all)), re: .integer(1)).hasSuffix(#"],"more":1}"#))
  }

  @Test func `a list leaves room for any id that is added later`() throws {
    let longest = ProtocolLimits.maxEventLine - EventEncoder.maxReplyIDField
    var line: [UInt8] = []
    EventEncoder.append(.players(Page(Self.players(5000))), maxListBytes: longest, to: &line)
    #expect(line.count <= longest && line.count + 40 > longest)
    for character in ["\u{1}", "\u{9F}", "\"", "\u{10FFFF}"] {
      let re = RequestID.text(String(repeating: character, count: 32))
      EventEncoder.withCopy(of: line.span, re: re) {
        #expect($0.count <= ProtocolLimits.maxEventLine)
      }
    }
    EventEncoder.withCopy(of: line.span, re: .text(String(repeating: "\u{1}", count: 32))) {
      #expect($0.count - line.count == EventEncoder.maxReplyIDField)
    }
  }

  static func last(_ length: Int) -> PlayerSummary {
    PlayerSummary(name: String(repeating: "z", count: length), place: .lobby, game: nil)
  }

  @Test func `no length of items makes a line too long`() throws {
    for nameLength in 4..<80 {
      let items = Self.players(3000, nameLength: nameLength)
      let count = line(.players(Page(items)), re: .integer(nameLength)).utf8.count + 1
      #expect(count <= ProtocolLimits.maxEventLine)
      #expect(count + nameLength + 32 > ProtocolLimits.maxEventLine)
    }
  }

  @Test func `a lazy list is read only as far as it fits`() throws {
    var looked = 0
    let items = (0..<100_000).lazy.map { index in
      looked += 1
      return MatchSummary(
        match: "\(index)", game: "tictactoe", players: PerMark(x: "ann", o: "bob"),
        isRunning: index % 2 == 0)
    }
    var bytes: [UInt8] = []
    LineWriter.withLine(
      { EventEncoder.put(matches: items, more: 0, nil, to: &$0) }, { bytes.append($0) })
    let line = String(decoding: bytes, as: UTF8.self) + "}"
    guard case .matches(let list) = try received(line).event else {
      Issue.record("another event")
      return
    }
    #expect(looked == list.items.count + 1)
    #expect(list.items.count + list.more == 100_000)
    #expect(bytes.count <= ProtocolLimits.maxEventLine)
  }
}
