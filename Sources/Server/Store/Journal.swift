import Foundation
import Shared

/// The file of events that a restart begins with: records are only appended. It does not wait for
/// the disk: `takeWritten` returns what has to be synchronized on another thread.
final class Journal {
  /// The size of the first segment. Each next one is twice as large, up to a limit.
  static let firstSegment = 1_048_576
  /// The beginning of the names of segments that are made ahead, and the name of one that is needed
  /// at once.
  static let nextPrefix = "next-"
  static let urgentName = "urgent"

  private let folder: SegmentFolder
  private let maxSegment: Int
  private let now: () -> Date
  private var segment: SegmentFile
  private var pending = RecordBuffer()
  /// Where the next record goes, and the digits of the last one.
  private var end: JournalEnd
  private var time = RecordTime()
  /// The number of matches that have begun, which the next segment begins with.
  var matches = 0
  /// The allocated segments that come next, which the helper thread makes, and how many there were.
  private var ahead: [SegmentFile] = []
  private var allocations = 0
  /// Segments that are full, but not yet synchronized.
  private var full: [(file: SegmentFile, length: Int)] = []
  private var hasNewName = true

  /// What has to be on the disk before everything up to `end` is.
  struct Written: Sendable {
    let end: JournalPosition
    fileprivate let files: [SegmentFile]
    fileprivate let full: [(file: SegmentFile, length: Int)]
    fileprivate let folder: SegmentFolder?

    /// Waits for the disk, and closes the segments that are full. Called on the helper thread.
    func synchronize() throws(SystemError) {
      for file in files { try file.synchronize() }
      try folder?.synchronize()
      for (file, length) in full { try file.close(at: length) }
    }
  }

  /// Opens the journal of a folder after its records were read up to `end`. The last segment is
  /// copied into a fresh file, because of an old one nobody knows what the disk holds. With
  /// `hasSkipped`, `matches` is more than the records say, so it is written down. `reserve` is the
  /// number of bytes that the current matches may still need to end.
  ///
  /// - Throws: a sentence for people if there is no room for the segment; the errors of the files.
  init(
    _ folder: SegmentFolder, after end: JournalEnd, matches: Int, hasSkipped: Bool = false,
    reserve: Int = 0, maxSegment: Int, now: @escaping () -> Date
  ) throws {
    self.folder = folder
    self.maxSegment = maxSegment
    self.now = now
    self.end = end
    self.end.torn = 0
    self.matches = matches
    let number = max(end.position.segment, 1)
    let written = end.position.segment == 0 ? Data() : try folder.bytes(of: number)
    try folder.removeUnused()
    segment = try Self.allocate(
      in: folder, copyOf: number, written, end.position.offset, reserve: reserve,
      maxSegment: maxSegment)
    try written.prefix(end.position.offset).withUnsafeBytes { bytes in
      try segment.write(bytes)
    }
    if end.position.offset == 0 {
      begin(number, after: JournalEnd())
    } else if hasSkipped {
      // On the disk before anybody is told of a match: the next power failure could take it back.
      appendHeader(after: self.end)
    }
    try commit()
    try segment.synchronize()
    try folder.use(segment, asNumber: number)
    for later in try folder.numbers().reversed() where later > number { try folder.remove(later) }
    try folder.synchronize()
  }

  /// Makes the file that the first `used` bytes of the last segment are copied into. `bytes` are
  /// all of that segment. On a full disk the file may be smaller than the segment.
  private static func allocate(
    in folder: SegmentFolder, copyOf number: Int, _ bytes: Data, _ used: Int, reserve: Int,
    maxSegment: Int
  ) throws -> SegmentFile {
    var size = max(min(firstSegment, maxSegment), bytes.count + SegmentHeader.maxRecord)
    let least = min(size, used + SegmentHeader.maxRecord + reserve)
    var isCut = false
    while true {
      do throws(SystemError) {
        return try folder.allocate(size, name: urgentName)
      } catch {
        guard error.code == ENOSPC || error.code == EDQUOT else { throw error }
        if !isCut {
          // The room that the segment does not use. A torn record stays, because a start that gets
          // no further must not hide that it was there.
          isCut = true
          let length = bytes.withUnsafeBytes { $0.usedCount }
          if length < bytes.count { try folder.cut(number, to: length) }
        } else if size > least {
          size = max(size / 2, least)
        } else {
          throw StartError(
            code: .cannotCreate,
            sentence: "The journal cannot be written in \(folder.path): \(error.reason). It needs"
              + " about \(Count.of((least + 1_023) / 1_024, "KiB", "KiB")) of room.")
        }
      }
    }
  }

  deinit {
    for (file, length) in full { try? file.close(at: length) }
    try? segment.close(at: end.position.offset - pending.count)
    for file in ahead { try? file.close(at: 0) }
  }

  /// Where the last record ends, written or not.
  var position: JournalPosition { end.position }

  /// Whether records wait to be written.
  var isPending: Bool { pending.count > 0 }

  /// Appends a record, which is written with the next `commit`.
  ///
  /// - Throws: if a new segment is needed, and it or the end of this one cannot be written.
  @inline(__always)
  func append(_ kind: RecordKind, _ payload: Span<UInt8>) throws(SystemError) {
    if pending.count == 0 { setTime() }
    let size = payload.count &+ JournalRecord.overhead
    if size > segment.capacity &- end.position.offset { try rotate() }
    pending.append(kind, time.prefix, payload, after: &end.digits)
    end.position.offset &+= size
  }

  @inline(never)
  private func setTime() {
    time.set(milliseconds: Int(now().timeIntervalSince1970 * 1_000))
  }

  /// Writes the records, with one system call.
  ///
  /// - Throws: if the system does not take them. The journal must not be used after that.
  func commit() throws(SystemError) {
    guard pending.count > 0 else { return }
    try segment.write(pending.bytes)
    pending.removeAll()
  }

  /// Goes on in the next segment.
  @inline(never)
  private func rotate() throws(SystemError) {
    try commit()
    full.append((segment, end.position.offset))
    if ahead.isEmpty {
      segment = try folder.allocate(nextSize, name: Self.urgentName)
    } else {
      segment = ahead.removeFirst()
    }
    let number = end.position.segment + 1
    try folder.use(segment, asNumber: number)
    hasNewName = true
    begin(number, after: end)
  }

  /// Appends the first record of a segment.
  private func begin(_ number: Int, after previous: JournalEnd) {
    end = JournalEnd(position: JournalPosition(segment: number, offset: 0))
    appendHeader(after: previous)
  }

  private func appendHeader(after previous: JournalEnd) {
    setTime()
    let payload = Array(SegmentHeader(previous: previous, matches: matches).text.utf8)
    pending.append(.header, time.prefix, payload.span, after: &end.digits)
    end.position.offset += payload.count + JournalRecord.overhead
  }

  /// The size of the next segment that is made.
  private var nextSize: Int { min(2 * (ahead.last ?? segment).capacity, maxSegment) }

  /// The number of bytes that are allocated, but not used.
  private var room: Int {
    ahead.reduce(segment.capacity - end.position.offset) { $0 + $1.capacity }
  }

  /// Whether the next segment should be made soon, so that there is always room for `reserve` bytes
  /// and half a segment more.
  func needsNext(reserve: Int) -> Bool { room < reserve + segment.capacity / 2 }

  /// The name of the next segment that is made ahead.
  var nextName: String { "\(Self.nextPrefix)\(allocations + 1)" }

  /// What makes the next segment, for the helper thread.
  var allocation: @Sendable () -> Result<SegmentFile, SystemError> {
    { [folder, nextSize, nextName] in
      Result { () throws(SystemError) in try folder.allocate(nextSize, name: nextName) }
    }
  }

  /// Takes the segment that `allocation` has made.
  func take(_ file: SegmentFile) {
    allocations += 1
    ahead.append(file)
  }

  /// Returns what was written since the last call.
  func takeWritten() -> Written {
    defer {
      full = []
      hasNewName = false
    }
    return Written(
      end: JournalPosition(
        segment: end.position.segment, offset: end.position.offset - pending.count),
      files: full.map(\.file) + [segment], full: full, folder: hasNewName ? folder : nil)
  }
}
