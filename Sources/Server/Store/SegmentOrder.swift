import Foundation
import Shared

/// Which files of a damaged journal are its segments, and in which order. Somebody may have
/// removed, renamed, swapped or copied them.
///
/// A segment's number follows from its records: its header names the segment before, and records
/// `s` name the segment itself. The name of a file only counts without either.
struct SegmentOrder {
  /// How many missing segments an empty one may stand for.
  private static let maxMissing = 1_000

  /// A segment of the repaired journal.
  struct Segment: Equatable {
    let number: Int
    /// The number in the name of its file; `nil` if there is no such file.
    let file: Int?
  }

  /// In order, without a gap.
  private(set) var segments: [Segment] = []
  /// What has become of the files, as sentences for people.
  private(set) var notes: [String] = []

  /// What the records of a file tell.
  struct Contents {
    /// The segment that the header names.
    var previous: Int?
    /// The highest segment that a record `s` names.
    var synced: Int?
    var records = 0

    /// The number of the segment; `nil` if nothing tells it.
    fileprivate var number: Int? {
      [previous.map { $0 + 1 }, synced].compactMap { $0 }.max()
    }

    init(_ bytes: UnsafeRawBufferPointer, with parser: borrowing RecordParser, number: Int) {
      parser.scan(bytes, number: number) { piece in
        guard case .record(let record) = piece else { return }
        records += 1
        let payload = bytes[record.payload]
        switch record.kind {
        case .header where record.position.offset == 0:
          previous = SegmentHeader(payload)?.previous.position.segment
        case .synced:
          synced = [synced, SyncedPosition.parse(payload)?.segment].compactMap { $0 }.max()
        default: break
        }
      }
    }
  }

  /// `intruders` are the numbers of what is no file, but has the name of one.
  ///
  /// - Throws: a sentence for people if too many segments are missing.
  init(_ files: [Int: Contents], intruders: [Int]) throws(StartError) {
    for number in intruders { leaveOut(number, "it is no file") }
    let last = files.compactMap { file, contents in
      contents.records > 0 ? contents.number ?? file : nil
    }.max()
    var places: [Int: Int] = [:]
    for (file, contents) in files.sorted(by: { $0.key < $1.key }) {
      let number = contents.number ?? file
      if contents.records == 0, let last, file > last {
        leaveOut(file, "it holds no record")
      } else if let other = places[number] {
        let isBetter =
          other != number && (file == number || contents.records > files[other]?.records ?? 0)
        leaveOut(isBetter ? other : file, "another file is the same segment")
        if isBetter { places[number] = file }
      } else {
        places[number] = file
      }
    }
    try arrange(places)
  }

  private mutating func leaveOut(_ file: Int, _ reason: String) {
    notes.append("Left out \(SegmentFolder.name(file)): \(reason).")
  }

  private mutating func arrange(_ places: [Int: Int]) throws(StartError) {
    let numbers = places.keys.sorted()
    guard let first = numbers.first, let last = numbers.last else { return }
    guard last - first < numbers.count + Self.maxMissing else {
      throw StartError(
        code: .damaged,
        sentence: "The journal cannot be repaired: too many files are missing between"
          + " \(SegmentFolder.name(first)) and \(SegmentFolder.name(last)).")
    }
    for number in first...last {
      let file = places[number]
      segments.append(Segment(number: number, file: file))
      if file == nil { notes.append("\(SegmentFolder.name(number)) is missing.") }
      if let file, file != number {
        notes.append("\(SegmentFolder.name(file)) is \(SegmentFolder.name(number)) again.")
      }
    }
  }
}
