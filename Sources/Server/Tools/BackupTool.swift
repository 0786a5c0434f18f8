import Foundation
import Shared

/// Copies the data of a server, which may run.
///
/// The archive is copied first, then the journal: so the copy of the journal has everything that the
/// copy of the archive has not. A segment that the server removes in between is in the archive
/// only now, so the copy begins anew.
enum BackupTool {
  private static let attempts = 5

  static func run(_ options: ToolOptions) throws -> ExitCode {
    let (target, data) = (options.operand ?? "", try StoredData(options.data))
    try prepare(target)
    for _ in 0..<attempts {
      do {
        let bytes = try copy(data, to: target)
        return StandardOutput.write(
          "Copied \(Count.of(bytes, "byte")) from \(data.path) to \(target). To use the copy, type:"
            + " tictactoe-server --data \(ShellWord.quoted(target))\n")
      } catch CocoaError.fileReadNoSuchFile {
        try removeContents(of: target)
      } catch {
        // Half a copy is of no use.
        try? removeContents(of: target)
        throw error
      }
    }
    throw StartError(
      code: .ioError,
      sentence: "The server has removed files while they were copied. Try again.")
  }

  private static func prepare(_ target: String) throws(StartError) {
    do {
      try FileManager.default.createDirectory(
        atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if try FileManager.default.contentsOfDirectory(atPath: target).isEmpty { return }
    } catch {
      throw StartError(
        code: .cannotCreate,
        sentence: "The folder \(target) cannot be made: \(StandardOutput.reason(of: error)).")
    }
    throw StartError(
      code: .cannotCreate, sentence: "The folder \(target) is not empty. Name another one.")
  }

  private static func removeContents(of target: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: target) {
      try FileManager.default.removeItem(atPath: "\(target)/\(name)")
    }
  }

  /// Returns the number of bytes.
  private static func copy(_ data: StoredData, to target: String) throws -> Int {
    // Segments that the archive may need. One that goes now is missed below.
    let needed = try data.journal.numbers()
    let database = "\(target)/\(Archive.fileName)"
    try data.archive?.copy(to: database)
    var bytes = 0
    if data.archive != nil {
      chmod(database, 0o600)
      try NewFile.synchronize(database)
      bytes += try Data(contentsOf: URL(fileURLWithPath: database), options: .alwaysMapped).count
    }
    let journal = SegmentFolder(path: "\(target)/journal")
    try journal.create()
    let numbers = Set(needed).union(try data.journal.numbers()).sorted()
    let progress = Progress("Copying", of: numbers.count)
    let parser = RecordParser()
    for number in numbers {
      progress.add(1)
      var copy = try Data(contentsOf: URL(fileURLWithPath: data.journal.file(number)))
      if number == numbers.last {
        // The server may be writing at its end.
        copy = copy.prefix(copy.withUnsafeBytes { parser.endOfWholeRecords(in: $0) })
      }
      try NewFile.write(Array(copy), to: journal.file(number))
      bytes += copy.count
    }
    try journal.synchronize()
    try SegmentFolder(path: target).synchronize()
    return bytes
  }
}
