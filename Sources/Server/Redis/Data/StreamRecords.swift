import Foundation
import Shared

extension UnsafeRawBufferPointer {
  /// Calls `body` with the kind and the payload of each record in an entry of a match's stream.
  /// Records of a later version are left out.
  func forEachRecord(_ body: (RecordKind, UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while start < count {
      let end = end(ofLineAt: start)
      if end >= start + 2, let kind = RecordKind(rawValue: self[start]) {
        body(kind, UnsafeRawBufferPointer(rebasing: self[start + 2..<end]))
      }
      start = end + 1
    }
  }

  /// Decodes the payload of a record; `nil` if it is not whole.
  func decoded<Record: Decodable>(as type: Record.Type) -> Record? {
    try? JSONDecoder().decode(type, from: Data(self))
  }
}

extension MatchReplay {
  /// Applies records as they stand in streams: each is a letter, a space, the payload and a LF.
  ///
  /// - Throws: if one of them cannot follow the ones before it.
  mutating func apply(records: Span<UInt8>) throws(JournalDamage) {
    var start = 0
    while start < records.count {
      let position = JournalPosition(segment: 0, offset: start)
      var end = start
      while end < records.count, records[end] != UInt8(ascii: "\n") { end += 1 }
      guard end < records.count, end - start >= 2, let kind = RecordKind(rawValue: records[start])
      else { throw JournalDamage(position: position, reason: "a record cannot be read") }
      try apply(
        JournalRecord(
          position: position, kind: kind, time: 0, payload: start + 2..<end,
          digits: CRC32C.noDigits),
        in: records)
      start = end + 1
    }
  }
}

extension MatchLines {
  /// Takes the events of a match out of the records of its stream; `nil` if its beginning is
  /// missing, or no game has begun.
  init?(_ records: [UInt8]) {
    var (match, lines): (MatchRecord?, [UInt8]) = (nil, [])
    records.withUnsafeBytes { records in
      records.forEachRecord { kind, payload in
        switch kind {
        case .beginning:
          match = payload.decoded(as: BeginningRecord.self).map(MatchRecord.init)
        case .event:
          lines += payload
          lines.append(UInt8(ascii: "\n"))
          _ = match?.apply(EventHead(payload), payload, at: nil)
        case .header, .accounts, .token, .rematch, .synced, .removed: break
        }
      }
    }
    guard let match, match.events > 0 else { return nil }
    self.init(header: match.header, lines: lines)
  }
}
