import Foundation
import Shared

/// What a backup says of itself: the file `backup.json` in it. It is written before the copy
/// begins, and once more when the whole copy is on the disk. Backups of older versions do not have
/// it.
struct BackupMark: Codable, Equatable {
  static let name = "backup.json"

  /// Whether the copy is complete.
  var isWhole = false
  /// Only of a cluster: the number of lives of its nodes. A new cluster goes on with the next one,
  /// so that the ids of its matches are new.
  var lives: Int?

  /// Returns the mark of a folder; `nil` if there is none.
  ///
  /// - Throws: a sentence for people if it cannot be read.
  static func read(in folder: String) throws(StartError) -> Self? {
    let path = "\(folder)/\(name)"
    do {
      return try JSONDecoder().decode(
        Self.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch is DecodingError {
      throw StartError(code: .damaged, sentence: "The file \(path) of the backup is damaged.")
    } catch {
      throw StartError(
        code: .ioError,
        sentence: "The file \(path) cannot be read: \(StandardOutput.reason(of: error)).")
    }
  }

  /// Replaces the mark of a folder. It is on the disk afterwards.
  func write(in folder: String) throws(SystemError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("The mark of a backup must be encodable.")
    }
    try NewFile.replace("\(folder)/\(Self.name)", with: Array(data) + [UInt8(ascii: "\n")])
    try NewFile.synchronize(folder)
  }

  /// Checks that a folder is not half a backup.
  ///
  /// - Throws: a sentence for people if it is.
  static func checkIsNotHalf(_ folder: String) throws(StartError) {
    guard try read(in: folder)?.isWhole == false else { return }
    throw StartError(
      code: .damaged,
      sentence: "\(folder) is a backup that was broken off. Take another one.")
  }
}
