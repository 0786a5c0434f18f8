import Shared
import Testing

@testable import Server

@Suite struct EventRecordTests {
  @Test func `an empty record has no events`() {
    let record = EventRecord()
    #expect(record.seq == 0)
    #expect(record.first == 1)
    #expect(lines(of: record, after: 0) == nil)
    #expect(last(of: record) == nil)
  }

  @Test func `events are numbered from one`() {
    var record = EventRecord()
    var seqs: [Int] = []
    for _ in 0..<3 { record.append(marks: .none) { seq, _ in seqs.append(seq) } }
    #expect(seqs == [1, 2, 3])
    #expect(record.seq == 3)
  }

  @Test func `who missed some gets those, and who missed none gets none`() {
    var record = EventRecord()
    for _ in 0..<3 { record.append("event") }
    #expect(lines(of: record, after: 0) == ["event 1", "event 2", "event 3"])
    #expect(lines(of: record, after: 1) == ["event 2", "event 3"])
    #expect(lines(of: record, after: 2) == ["event 3"])
    #expect(lines(of: record, after: 3) == nil)
    #expect(lines(of: record, after: 4) == nil)
    #expect(lines(of: record, after: .max) == nil)
  }

  @Test func `each line keeps whose marks its copies tell`() {
    var record = EventRecord()
    let marks: [EventRecord.Marks] = [.ofOddGame, .none, .ofEvenGame]
    for mark in marks { record.append(marks: mark) { _, line in line.append(0x61) } }
    var kept: [EventRecord.Marks] = []
    let hasAll = record.forEach(after: 0) { kept.append($1) }
    #expect(hasAll)
    #expect(kept == marks)
    #expect(last(of: record)?.marks == .ofEvenGame)
  }

  @Test func `nothing is dropped up to the capacity`() {
    var record = EventRecord()
    for _ in 0..<EventRecord.capacity { record.append(marks: .none) { $1.append(0x61) } }
    #expect(record.first == 1)
    #expect(lines(of: record, after: 0)?.count == EventRecord.capacity)
    record.append(marks: .none) { $1.append(0x61) }
    #expect(record.first > 1)
  }

  @Test func `beyond the capacity the oldest go, and the rest are still told in order`() {
    var record = EventRecord()
    for count in 1...2_000 {
      record.append("the event of number")
      #expect(record.seq == count)
      let kept = lines(of: record, after: record.first - 1)
      #expect(kept == (record.first...count).map { "the event of number \($0)" })
      #expect((kept ?? []).reduce(0) { $0 + $1.utf8.count } <= EventRecord.capacity)
    }
    #expect(lines(of: record, after: record.first - 2) == nil)
    #expect(lines(of: record, after: 0) == nil)
  }

  @Test func `the last event stays, however long it is`() {
    var record = EventRecord()
    record.append("short")
    let long = String(repeating: "x", count: EventRecord.capacity * 2)
    record.append(long)
    #expect(record.first == 2)
    #expect(lines(of: record, after: 0) == nil)
    #expect(lines(of: record, after: 1) == ["\(long) 2"])
    #expect(last(of: record)?.line == "\(long) 2")
    record.append("short")
    #expect(lines(of: record, after: 2) == ["short 3"])
  }

  private func lines(of record: EventRecord, after seq: Int) -> [String]? {
    var lines: [String] = []
    let hasAll = record.forEach(after: seq) { line, _ in lines.append(text(line)) }
    // Where it has not all of them, it tells none.
    if !hasAll { #expect(lines == []) }
    return hasAll ? lines : nil
  }

  private func last(of record: EventRecord) -> (line: String, marks: EventRecord.Marks)? {
    var last: (String, EventRecord.Marks)?
    record.withLast { last = (text($0), $1) }
    return last
  }

  private func text(_ line: Span<UInt8>) -> String {
    line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension EventRecord {
  fileprivate mutating func append(_ text: String) {
    append(marks: .none) { seq, line in line += "\(text) \(seq)".utf8 }
  }
}
