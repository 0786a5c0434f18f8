import Shared

/// What a record of the journal holds. The raw value is the letter in the file.
enum RecordKind: UInt8 {
  /// The first record of each segment: which one came before it.
  case header = 0x68  // h
  /// A match begins: its game, its players and their tokens.
  case beginning = 0x62  // b
  /// An event of a match: the very line that a spectator gets.
  case event = 0x65  // e
  /// The accounts that the game counts for which begins next, or runs.
  case accounts = 0x61  // a
  /// A player has got a new token.
  case token = 0x74  // t
  /// A player has asked for the next game, or does not ask any more.
  case rematch = 0x71  // q
  /// Everything before a position is on the disk.
  case synced = 0x73  // s
  /// A repair has removed what was here; or, with the id of a match, a start has dropped it.
  case removed = 0x78  // x
}

/// A place in the journal: the number of a segment, and a number of bytes in it.
struct JournalPosition: Comparable, Hashable, Sendable {
  var segment: Int
  var offset: Int

  static func < (one: Self, other: Self) -> Bool {
    (one.segment, one.offset) < (other.segment, other.offset)
  }
}

/// The line of a record, `crc32c SP ms SP kind SP payload LF`, and where its parts are, in bytes
/// from its beginning. It has eight hexadecimal digits of CRC-32C and the time in milliseconds
/// since 1970. The CRC is that of the digits of the record before, and of this record from its
/// first SP to its LF.
enum RecordLine {
  /// Where the digits of the CRC end, and the bytes that it is computed from begin.
  static let checked = 8
  static let time = 9..<22
  static let kind = 23
  static let payload = 25

  /// Whether the three SP are there.
  static func hasSpaces(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    let space = UInt8(ascii: " ")
    return bytes[start + checked] == space && bytes[start + time.upperBound] == space
      && bytes[start + payload - 1] == space
  }
}

/// A record of the journal, as it is read.
struct JournalRecord {
  /// The bytes of a record without its payload: the parts before it, and the LF.
  static let overhead = RecordLine.payload + 1

  let position: JournalPosition
  let kind: RecordKind
  /// In milliseconds since 1970.
  let time: Int
  /// Where the payload is in the bytes of the segment.
  let payload: Range<Int>
  let digits: CRC32C.Digits

  /// The number of bytes of the whole record.
  var count: Int { payload.count + Self.overhead }
}

extension JournalRecord {
  /// Reads the record at a position, without a check of its checksum; `nil` if there is none.
  init?(in bytes: UnsafeRawBufferPointer, at position: JournalPosition) {
    let start = position.offset
    guard start + Self.overhead <= bytes.count else { return nil }
    let end = bytes.end(ofLineAt: start)
    guard end < bytes.count, end >= start + RecordLine.payload,
      RecordLine.hasSpaces(bytes, at: start),
      let kind = RecordKind(rawValue: bytes[start + RecordLine.kind])
    else { return nil }
    var time = 0
    for index in RecordLine.time {
      let digit = bytes[start + index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      time = 10 * time + Int(digit)
    }
    self.init(
      position: position, kind: kind, time: time, payload: start + RecordLine.payload..<end,
      digits: bytes.loadUnaligned(fromByteOffset: start, as: CRC32C.Digits.self))
  }
}

/// The records that are not yet written, in one block of memory.
struct RecordBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0
  private let crc = CRC32C()

  init() {
    capacity = 65_536
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  mutating func removeAll() { count = 0 }

  /// Appends a record. `prefix` is that of `RecordTime`, and `digits` those of the record before;
  /// afterwards they are those of this record.
  mutating func append(
    _ kind: RecordKind, _ prefix: SIMD16<UInt8>, _ payload: Span<UInt8>,
    after digits: inout CRC32C.Digits
  ) {
    let size = payload.count &+ JournalRecord.overhead
    if size > capacity &- count { grow(for: size) }
    let start = memory + count
    var prefix = prefix
    prefix[RecordLine.kind - RecordLine.checked] = kind.rawValue
    start.storeBytes(of: prefix, toByteOffset: RecordLine.checked, as: SIMD16<UInt8>.self)
    start.storeBytes(
      of: UInt8(ascii: " "), toByteOffset: RecordLine.payload - 1, as: UInt8.self)
    payload.withUnsafeBytes { payload in
      guard let source = payload.baseAddress else { return }
      (start + RecordLine.payload).copyMemory(from: source, byteCount: payload.count)
    }
    start.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: size &- 1, as: UInt8.self)
    digits = crc.digits(
      after: digits,
      of: UnsafeRawBufferPointer(
        start: start + RecordLine.checked, count: size &- RecordLine.checked))
    start.storeBytes(of: digits, as: CRC32C.Digits.self)
    count &+= size
  }

  @inline(never)
  private mutating func grow(for more: Int) {
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }
}

/// The time in the records of one batch, as the bytes from the first SP of a record to its kind.
struct RecordTime {
  /// The kind is still missing.
  private(set) var prefix = SIMD16<UInt8>(repeating: UInt8(ascii: " "))
  private var seconds = 0

  /// Sets the time in milliseconds since 1970. It has 13 digits from 2001 to 2286, and is limited
  /// to these years.
  mutating func set(milliseconds: Int) {
    let time = min(max(milliseconds, 1_000_000_000_000), 9_999_999_999_999)
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000)
    if seconds != self.seconds {
      self.seconds = seconds
      put(seconds, at: 1...10)
    }
    put(rest, at: 11...13)
  }

  private mutating func put(_ number: Int, at indices: ClosedRange<Int>) {
    var rest = number
    for index in indices.reversed() {
      prefix[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }
}
