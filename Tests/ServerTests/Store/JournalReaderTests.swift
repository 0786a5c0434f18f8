import Foundation
import Shared
import Testing

@testable import Server

@Suite struct JournalReaderTests {
  private let journal = SmallJournal()

  @Test func `a checksum is CRC-32C of the digits before and the record`() {
    // The check value of CRC-32C is that of the digits 1 to 9.
    let digits = Array("12345678".utf8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    Array("9".utf8).withUnsafeBytes {
      #expect(CRC32C().digits(after: digits, of: $0) == HexDigits.of(0xE306_9283))
    }
    #expect(
      withUnsafeBytes(of: HexDigits.of(0xE306_9283)) { String(decoding: $0, as: UTF8.self) }
        == "e3069283")
  }

  @Test func `a record is a line that people can read`() throws {
    let line = try #require(journal.segments[1]?.split(separator: UInt8(ascii: "\n"))[1])
    #expect(String(decoding: line, as: UTF8.self).hasSuffix(" 1732000000123 e one"))
  }

  @Test func `whole segments are read to their end, and zeros may follow`() throws {
    var journal = journal
    for number in [1, 2] { journal.change(number) { $0 += Array(repeating: 0, count: 100) } }
    journal.change(3) { $0 = Array(repeating: 0, count: 100) }
    let (texts, end) = try journal.read()
    #expect(texts == journal.records.map(\.text))
    #expect(end.torn == 0)
    #expect(end.position.segment == 2)
  }

  @Test func `the first segment may be a later one`() throws {
    var journal = journal
    journal.remove(1)
    #expect(try journal.read().texts == journal.records.suffix(5).map(\.text))
  }

  @Test func `an empty folder is an empty journal`() throws {
    var reader = JournalReader()
    let end = try reader.read([], load: { _ in Data() }, { _, _ in })
    #expect(end == JournalEnd())
  }

  /// The whole records before a position.
  private func texts(before position: JournalPosition) -> [String] {
    let ends = journal.records.map(\.position).dropFirst() + [JournalPosition.max]
    return zip(journal.records, Array(ends)).filter { $1 <= position }.map(\.0.text)
  }

  @Test(arguments: [false, true])
  func `a cut of the last segment at any byte leaves the whole records`(isFilled: Bool) throws {
    let count = try #require(journal.segments[2]?.count)
    for length in 0..<count {
      var cut = journal
      cut.change(2) {
        $0.removeSubrange(length...)
        if isFilled { $0 += Array(repeating: 0, count: 1_000) }
      }
      let (texts, end) = try cut.read()
      #expect(texts == self.texts(before: JournalPosition(segment: 2, offset: length)))
      let whole = end.position.segment == 2 ? end.position.offset : 0
      #expect(end.torn == length - whole)
    }
  }

  @Test func `a cut of an earlier segment is damage if it was synced`() throws {
    let count = try #require(journal.segments[1]?.count)
    for length in 0..<count {
      var cut = journal
      cut.change(1) { $0.removeSubrange(length...) }
      let damage = #expect(throws: JournalDamage.self) { try cut.read() }
      // The damage begins with the record that is cut.
      let begin = journal.records.last {
        $0.position <= JournalPosition(segment: 1, offset: length)
      }
      #expect(damage?.position == begin?.position)
    }
  }

  @Test func `each changed bit before the last sync is damage, and after it is cut off`() throws {
    for (number, bytes) in journal.segments {
      for index in bytes.indices {
        for bit in 0..<8 {
          var changed = journal
          changed.change(number) { $0[index] ^= 1 << bit }
          let place = JournalPosition(segment: number, offset: index)
          let isSynced = place < journal.synced
          do {
            let (texts, end) = try changed.read()
            #expect(!isSynced, "\(place) bit \(bit) was not noticed, synced \(journal.synced)")
            #expect(end.torn > 0 && texts.count < journal.records.count)
            #expect(texts == Array(journal.records.map(\.text).prefix(texts.count)))
          } catch let damage as JournalDamage {
            #expect(isSynced, "\(place) bit \(bit) is not damage")
            #expect(damage.position <= place)
          }
        }
      }
    }
  }

  @Test func `two segments that do not belong together are damage`() throws {
    var journal = journal
    journal.change(2) { $0 = SmallJournal([["other"], ["four", "s"]]).segments[2] ?? [] }
    #expect(throws: JournalDamage.self) { try journal.read() }
  }

  @Test func `a lost segment in the middle is damage`() throws {
    var journal = SmallJournal([["one"], ["two"], ["three", "s"]])
    journal.remove(2)
    #expect(throws: JournalDamage.self) { try journal.read() }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 63, 64, 65], [0, 1, 7, 8, 9, 1_000])
  func `the zeros at the end are not counted`(used: Int, zeros: Int) {
    // A zero before the end counts.
    let bytes = (0..<used).map { UInt8($0 == used - 1 ? 1 : 0) } + Array(repeating: 0, count: zeros)
    #expect(bytes.withUnsafeBytes { $0.usedCount } == used)
    let rest = bytes.dropFirst(min(3, used))
    #expect(rest.withUnsafeBytes { $0.usedCount } == max(0, used - 3))
  }
}

extension JournalPosition {
  fileprivate static let max = JournalPosition(segment: .max, offset: .max)
}
