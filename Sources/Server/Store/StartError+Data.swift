import Foundation
import Shared

/// From an error at the data to a sentence and an exit code, for a start of the server and for its
/// tools.
extension StartError {
  init(_ error: any Error, atStartIn folder: DataFolder) {
    let path = folder.path
    switch error {
    case let error as StartError: self = error
    case let damage as JournalDamage:
      self.init(
        code: .damaged,
        sentence: "The journal is damaged: in"
          + " \(folder.journal.file(damage.position.segment)), after"
          + " \(damage.position.offset) bytes, \(damage.reason). The server does not start, so that"
          + " nothing gets worse. To keep what is whole, type:"
          + " tictactoe-server check --repair --data \(ShellWord.quoted(path))"
          + " — or restore a backup.")
    case let missing as SystemLibrary.MissingError: self = .cannotKeep(missing)
    case let error as DatabaseError where error.isDamage:
      self.init(
        code: .damaged,
        sentence: "The archive \(path)/\(Archive.fileName) is damaged: \(error.reason)."
          + " Restore a backup of the folder; see docs/operations.md.")
    case let error as DatabaseError where error.isLocked:
      self.init(
        code: .unavailable,
        sentence: "Another program holds a lock on the archive in \(path). Start the server"
          + " again when it has ended.")
    case let error as DatabaseError:
      self.init(
        code: error.isFull ? .cannotCreate : .ioError,
        sentence: "The archive in \(path) cannot be used: \(error.reason)."
          + DiskRoom.roomSentence(path)
          + (error.isFull ? DiskRoom.inodeSentence(nil, path) : ""))
    case let error as SystemError:
      self.init(
        code: .cannotCreate,
        sentence: "The journal cannot be written in \(path): \(error.reason)."
          + DiskRoom.inodeSentence(error.code, path))
    default:
      self.init(
        code: .ioError,
        sentence: "The journal in \(path) cannot be read: \(StandardOutput.reason(of: error)).")
    }
  }

  /// An error of a tool that reads the data in the folder `data`, and writes into `target`.
  init(_ error: any Error, inToolOn data: String, target: String) {
    switch error {
    case let error as StartError: self = error
    case let damage as JournalDamage:
      let segment = SegmentFolder(path: "\(data)/journal").file(damage.position.segment)
      self.init(
        code: .damaged,
        sentence: "The journal is damaged in \(segment), after \(damage.position.offset) bytes:"
          + " \(damage.reason).")
    case let missing as SystemLibrary.MissingError:
      self.init(code: .unavailable, sentence: missing.sentence)
    case let error as DatabaseError where error.isLocked:
      self.init(
        code: .unavailable,
        sentence: "Another program holds a lock on the archive in \(data). Try again when it has"
          + " ended.")
    case let error as DatabaseError:
      self.init(
        code: error.isFull ? .cannotCreate : error.isDamage ? .damaged : .ioError,
        sentence: "The archive in \(data) cannot be used: \(error.reason)."
          + DiskRoom.roomSentence(target)
          + (error.isFull ? DiskRoom.inodeSentence(nil, target) : ""))
    case let error as SystemError:
      let isWriting = [ENOSPC, EDQUOT, EROFS, EACCES, EFBIG].contains(error.code)
      self.init(
        code: isWriting ? .cannotCreate : .ioError,
        sentence: "Reading or writing has failed: \(error.reason)."
          + DiskRoom.inodeSentence(error.code, target))
    default:
      self.init(
        code: .ioError,
        sentence: "Reading or writing has failed: \(StandardOutput.reason(of: error)).")
    }
  }

  /// Says what to install, or how to start without it. A tool has only the first choice.
  static func cannotKeep(_ missing: SystemLibrary.MissingError) -> StartError {
    StartError(
      code: .unavailable,
      sentence: "\(missing.sentence) Or keep nothing: tictactoe-server --data none")
  }
}
