import Shared

/// Finds whole records in the bytes of a segment, also behind damaged ones.
struct RecordParser: ~Copyable {
  private let crc = CRC32C()

  /// Possible starts of the last few records, the oldest first.
  struct Starts {
    fileprivate var offsets: [Int] = []

    mutating func add(_ offset: Int) {
      if offsets.count == 4 { offsets.removeFirst() }
      offsets.append(offset)
    }
  }

  /// Returns the record at a position, if it is whole and follows the one with these digits.
  func record(
    in bytes: UnsafeRawBufferPointer, at position: JournalPosition, after digits: CRC32C.Digits
  ) -> JournalRecord? {
    guard let record = JournalRecord(in: bytes, at: position) else { return nil }
    let range = position.offset + RecordLine.checked..<position.offset + record.count
    let sum = crc.digits(after: digits, of: UnsafeRawBufferPointer(rebasing: bytes[range]))
    return record.digits == sum ? record : nil
  }

  /// Whether a record may start there. Either of the two signs may be damaged.
  func mayStart(at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard start + JournalRecord.overhead <= bytes.count else { return false }
    return start == 0 || bytes[start - 1] == UInt8(ascii: "\n")
      || RecordLine.hasSpaces(bytes, at: start)
  }

  /// Returns the index of the LF of the record at `start`, if the record is whole. `starts` are the
  /// possible starts of the records before. The digits of the record before are the ones that stand
  /// there or, if these are damaged, those that its bytes give.
  func end(of start: Int, in bytes: UnsafeRawBufferPointer, after starts: Starts) -> Int? {
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")),
      end >= start + RecordLine.payload
    else { return nil }
    func stated(_ start: Int) -> CRC32C.Digits {
      bytes.loadUnaligned(fromByteOffset: start, as: CRC32C.Digits.self)
    }
    func computed(after digits: CRC32C.Digits, _ range: Range<Int>) -> CRC32C.Digits {
      crc.digits(after: digits, of: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    let offsets = starts.offsets
    let found = [CRC32C.noDigits] + offsets.map(stated)
    var candidates = found
    for (index, other) in offsets.enumerated() where other + RecordLine.checked <= start {
      for digits in found[...index] {
        candidates.append(computed(after: digits, other + RecordLine.checked..<start))
      }
    }
    let isWhole = candidates.contains {
      computed(after: $0, start + RecordLine.checked..<end + 1) == stated(start)
    }
    return isWhole ? end : nil
  }

  /// Returns where the whole records from the beginning of a segment end.
  func endOfWholeRecords(in bytes: UnsafeRawBufferPointer) -> Int {
    var (position, digits) = (JournalPosition(segment: 0, offset: 0), CRC32C.noDigits)
    while let record = record(in: bytes, at: position, after: digits) {
      position.offset += record.count
      digits = record.digits
    }
    return position.offset
  }

  /// Calls `body` with each whole record of a segment, and each range of bytes between them that
  /// belongs to none.
  func scan(_ bytes: UnsafeRawBufferPointer, number: Int, _ body: (JournalPiece) -> Void) {
    let used = bytes.usedCount
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<used])
    var (offset, digits, starts) = (0, CRC32C.noDigits, Starts())
    while offset < used {
      let position = JournalPosition(segment: number, offset: offset)
      var next = record(in: bytes, at: position, after: digits)
      starts.add(offset)
      if next == nil {
        next = firstRecord(after: offset, of: number, in: bytes, &starts)
        let end = next?.position.offset ?? used
        body(.gap(position, count: end - offset))
        offset = end
      }
      guard let record = next else { return }
      body(.record(record))
      offset += record.count
      digits = record.digits
    }
  }

  /// Returns the first whole record after damaged bytes.
  private func firstRecord(
    after offset: Int, of number: Int, in bytes: UnsafeRawBufferPointer, _ starts: inout Starts
  ) -> JournalRecord? {
    for start in offset + 1..<bytes.count where mayStart(at: start, in: bytes) {
      if end(of: start, in: bytes, after: starts) != nil,
        let record = JournalRecord(
          in: bytes, at: JournalPosition(segment: number, offset: start))
      {
        starts.add(start)
        return record
      }
      starts.add(start)
    }
    return nil
  }
}

/// A part of a segment.
enum JournalPiece {
  case record(JournalRecord)
  /// Bytes that belong to no whole record.
  case gap(JournalPosition, count: Int)
}
