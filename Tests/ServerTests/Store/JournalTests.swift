import Foundation
import Shared
import Testing

@testable import Server

@Suite struct JournalTests {
  private let folder = TemporaryFolder()

  /// Opens the journal as a start of the server does.
  private func open(
    maxSegment: Int = 65_536, calls: DiskCalls = DiskCalls(), reserve: Int = 0
  ) throws -> Journal {
    let segments = SegmentFolder(path: folder.path, calls: calls)
    var reader = JournalReader()
    var matches = 0
    let end = try reader.read(try segments.numbers(), load: segments.bytes) { record, bytes in
      guard record.kind == .header else { return }
      matches = SegmentHeader(Self.array(bytes.extracting(record.payload)))?.matches ?? -1
    }
    return try Journal(
      segments, after: end, matches: matches, reserve: reserve, maxSegment: maxSegment,
      now: { Date(timeIntervalSince1970: 1_732_000_000.123) })
  }

  private static func array(_ span: Span<UInt8>) -> [UInt8] {
    span.withUnsafeBufferPointer { Array($0) }
  }

  /// The texts of all events in the files.
  private func events() throws -> [String] {
    let segments = SegmentFolder(path: folder.path)
    var reader = JournalReader()
    var texts: [String] = []
    let end = try reader.read(try segments.numbers(), load: segments.bytes) { record, bytes in
      guard record.kind == .event else { return }
      texts.append(String(decoding: Self.array(bytes.extracting(record.payload)), as: UTF8.self))
    }
    #expect(end.torn == 0)
    return texts
  }

  private func append(_ text: String, to journal: Journal) throws {
    try journal.append(.event, Array(text.utf8).span)
  }

  private var segments: [Int] {
    get throws { try SegmentFolder(path: folder.path).numbers() }
  }

  @Test func `a record is in the file only after a commit`() throws {
    let journal = try open()
    try append("one", to: journal)
    #expect(journal.isPending)
    #expect(try events() == [])
    try journal.commit()
    #expect(!journal.isPending)
    #expect(try events() == ["one"])
  }

  @Test func `a journal goes on after each start`() throws {
    for number in 0..<5 {
      let journal = try open()
      try append("\(number)", to: journal)
      try journal.commit()
    }
    #expect(try events() == ["0", "1", "2", "3", "4"])
    #expect(try segments == [1])
  }

  @Test func `a full segment is followed by the next one, whoever makes it`() throws {
    let journal = try open()
    journal.matches = 7
    let texts = (0..<3_000).map { "\($0) \(String(repeating: "x", count: 50))" }
    for (index, text) in texts.enumerated() {
      try append(text, to: journal)
      if index == 1_200 {
        journal.take(try journal.allocation().get())
      }
      if index % 10 == 0 { try journal.commit() }
    }
    try journal.commit()
    #expect(try events() == texts)
    #expect(try segments.count > 3)
    #expect(try open().matches == 7)
    #expect(try events() == texts)
  }

  @Test func `what was written is synchronized, and full segments are cut to their length`() throws
  {
    let journal = try open()
    let text = String(repeating: "x", count: 1_000)
    for _ in 0..<100 { try append(text, to: journal) }
    try journal.commit()
    try journal.takeWritten().synchronize()
    let bytes = try SegmentFolder(path: folder.path).bytes(of: 1)
    #expect(bytes.last == UInt8(ascii: "\n"))
    #expect(try events().count == 100)
  }

  @Test func `bytes that belong to no whole record are gone after a start`() throws {
    for _ in 0..<2 {
      let journal = try open()
      try append("whole", to: journal)
      try journal.commit()
    }
    let file = SegmentFolder(path: folder.path).file(1)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes += Data("0badc0de 1732000000123 e to".utf8)
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try open().position.offset == bytes.count - 27)
    #expect(try events() == ["whole", "whole"])
  }

  /// The calls of a disk with room for so many bytes, which the segments share.
  private func disk(of size: Int) -> DiskCalls {
    let segments = SegmentFolder(path: folder.path)
    return DiskCalls(
      allocate: { descriptor, more in
        let used = try? segments.numbers().reduce(0) { try $0 + segments.bytes(of: $1).count }
        return (used ?? 0) + more <= size ? DiskCalls().allocate(descriptor, more) : ENOSPC
      })
  }

  @Test func `a full disk has room for a start, because the last segment is cut`() throws {
    // It is not closed, as in a process that is killed.
    let killed = try open(maxSegment: 1 << 20)
    for number in 0..<100 { try append("\(number)", to: killed) }
    try killed.commit()
    try #require(try SegmentFolder(path: folder.path).bytes(of: 1).count == 1 << 20)
    let journal = try open(maxSegment: 1 << 20, calls: disk(of: 1 << 20), reserve: 100_000)
    try append("100", to: journal)
    try journal.commit()
    #expect(try events() == (0...100).map(String.init))
    #expect(try SegmentFolder(path: folder.path).bytes(of: 1).count >= 100_000)
  }

  @Test func `a start that needs more than a full disk has says how much, and changes nothing`()
    throws
  {
    let killed = try open()
    try append("one", to: killed)
    try killed.commit()
    let error = #expect(throws: StartError.self) { try open(calls: disk(of: 0), reserve: 5_000) }
    #expect(error?.code == .cannotCreate)
    #expect(
      error?.sentence.hasSuffix(": No space left on device. It needs about 6 KiB of room.") == true)
    #expect(try events() == ["one"])
  }

  @Test func `segments double in size up to the limit`() throws {
    let journal = try open(maxSegment: 4 * Journal.firstSegment)
    let text = String(repeating: "x", count: 60_000)
    var sizes: [Int] = []
    for _ in 0..<200 {
      try append(text, to: journal)
      let file = SegmentFolder(path: folder.path).file(journal.position.segment)
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped).count)
    }
    #expect(Set(sizes) == [1, 2, 4].reduce(into: []) { $0.insert($1 * Journal.firstSegment) })
  }

  @Test func `its files are for their owner only`() throws {
    _ = try open()
    let file = SegmentFolder(path: folder.path).file(1)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}

/// A folder that is removed when this object goes.
final class TemporaryFolder {
  let path: String

  /// In memory, where the system has room there, for a test that waits thousands of times for the
  /// disk. Other tests use a real one.
  init(inMemory isInMemory: Bool = false) {
    let parent = isInMemory && Self.hasMemory ? Self.memory : NSTemporaryDirectory()
    path = parent + "tictactoe-store-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("A temporary folder cannot be made: \(error).")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private static let memory = "/dev/shm/"
  /// A container may have only 64 MB.
  private static let hasMemory: Bool = {
    let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize]
    return FileManager.default.isWritableFile(atPath: memory)
      && (free as? NSNumber)?.intValue ?? 0 > 512 << 20
  }()
}
