import Testing

@testable import Server

@Suite struct StreamEntryTests {
  private func bulk(_ text: String) -> RedisReply { .bulk(Array(text.utf8)) }

  private func reply(_ id: String, _ fields: String...) -> RedisReply {
    .array([bulk(id), .array(fields.map(bulk))])
  }

  private func entry(_ id: String, after previous: String? = nil) throws -> StreamEntry {
    StreamEntry(
      try #require(EntryID(id)), after: try previous.map { try #require(EntryID($0)) })
  }

  @Test func `ids`() {
    #expect(EntryID("3-12") == EntryID(term: 3, number: 12))
    #expect(EntryID(term: 3, number: 12).text == "3-12")
    #expect(EntryID(term: 2, number: 99) < EntryID(term: 3, number: 0))
    #expect(EntryID(term: 3, number: 9) < EntryID(term: 3, number: 10))
    for text in ["", "3", "3-", "-3", "3-1-2", "a-1", "3--1"] { #expect(EntryID(text) == nil) }
  }

  @Test func `what is appended is what is read`() throws {
    var entry = try entry("2-7", after: "2-6")
    entry.records = Array("e {\"seq\":1}\n".utf8)
    entry.claim = "north 4 nonce"
    entry.isFinished = true
    var commands = RedisCommands()
    entry.append(to: "abcd", in: &commands)
    // A command has the form of a reply.
    var parser = RedisReplyParser()
    parser.append(commands.bytes.span)
    let words = try #require(try parser.next()?.elements)
    #expect(words.prefix(4).map(\.text) == ["XADD", "j:abcd", "NOMKSTREAM", "2-7"])
    #expect(StreamEntry(.array([words[3], .array(Array(words[4...]))])) == entry)
  }

  @Test func `only the first entry makes the stream`() throws {
    var first = try entry("1-0")
    first.claim = "north 1 nonce"
    var commands = RedisCommands()
    first.append(to: "abcd", in: &commands)
    #expect(!String(decoding: commands.bytes, as: UTF8.self).contains("NOMKSTREAM"))
    #expect(commands.count == 1)
  }

  @Test func `fields of a later version are left out`() throws {
    #expect(StreamEntry(reply("1-1", "p", "1-0", "z", "?")) == (try entry("1-1", after: "1-0")))
  }

  @Test func `what is no entry`() {
    #expect(StreamEntry(.null) == nil)
    #expect(StreamEntry(reply("x", "p", "1-0")) == nil)
    #expect(StreamEntry(reply("1-1", "p")) == nil)
    #expect(StreamEntry(reply("1-1", "p", "x")) == nil)
  }

  @Test func `reading stops where something is missing`() throws {
    let entries = [
      try entry("1-0"), try entry("1-1", after: "1-0"), try entry("2-0", after: "1-1"),
      try entry("2-2", after: "2-1"), try entry("2-3", after: "2-2"),
    ]
    #expect(StreamEntry.whole(entries).map(\.id.text) == ["1-0", "1-1", "2-0"])
    #expect(StreamEntry.whole(Array(entries.prefix(3))).count == 3)
    #expect(StreamEntry.whole(Array(entries.dropFirst())).isEmpty)
    #expect(StreamEntry.whole([]).isEmpty)
  }
}
