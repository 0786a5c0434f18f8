import Foundation
import Shared

@testable import Server

/// Two segments of a journal in memory.
struct SmallJournal {
  private(set) var segments: [Int: [UInt8]] = [:]
  /// The position and the payload of each record.
  private(set) var records: [(position: JournalPosition, text: String)] = []
  /// Up to where the journal was synced, according to its last record that says so.
  private(set) var synced = JournalPosition(segment: 0, offset: 0)
  private var end = JournalEnd()

  /// Each of `segments` has a header, and these records: `s` says that all before it was synced.
  init(_ segments: [[String]] = [["one", "two", "s", "three"], ["four", "s", "five", "six"]]) {
    for (index, texts) in segments.enumerated() {
      let header = SegmentHeader(previous: end, matches: 3).text
      end = JournalEnd(position: JournalPosition(segment: index + 1, offset: 0))
      append(.header, header)
      for text in texts {
        if text == "s" {
          synced = end.position
          append(.synced, SyncedPosition.text(end.position))
        } else {
          append(.event, text)
        }
      }
    }
  }

  private mutating func append(_ kind: RecordKind, _ text: String) {
    var buffer = RecordBuffer()
    let payload = Array(text.utf8)
    var time = RecordTime()
    time.set(milliseconds: 1_732_000_000_123)
    buffer.append(kind, time.prefix, payload.span, after: &end.digits)
    records.append((end.position, text))
    segments[end.position.segment, default: []] += Array(buffer.bytes)
    end.position.offset += buffer.count
  }

  /// Changes a segment.
  mutating func change(_ number: Int, _ change: (inout [UInt8]) -> Void) {
    change(&segments[number, default: []])
  }

  mutating func remove(_ number: Int) { segments[number] = nil }

  /// Reads all records.
  func read() throws -> (texts: [String], end: JournalEnd) {
    var reader = JournalReader()
    var texts: [String] = []
    let end = try reader.read(
      segments.keys.sorted(), load: { Data(segments[$0] ?? []) },
      { record, bytes in
        let payload = bytes.extracting(record.payload)
        texts.append(String(decoding: payload.withUnsafeBufferPointer { Array($0) }, as: UTF8.self))
      })
    return (texts, end)
  }
}
