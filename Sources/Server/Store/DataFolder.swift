import Foundation
import Shared

/// Where the server keeps its data.
enum DataLocation: Equatable {
  /// The default folder of the port; nowhere if the port is any free one.
  case standard
  case nowhere
  case folder(String)

  /// Returns the path of the folder; `nil` if nothing is kept.
  ///
  /// By default it is `$STATE_DIRECTORY`, which a service manager sets, or a folder for each port
  /// in `$XDG_STATE_HOME` or `~/.local/state`.
  func path(port: UInt16, _ environment: [String: String]) -> String? {
    switch self {
    case .nowhere: return nil
    case .folder(let path): return path
    case .standard:
      guard port != 0 else { return nil }
      // systemd separates several folders with colons.
      if let first = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
        return String(first)
      }
      // A relative path is ignored, as the XDG Base Directory Specification says.
      func absolute(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
      }
      let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
      let state = absolute("XDG_STATE_HOME") ?? "\(home)/.local/state"
      return "\(state)/tictactoe-server/\(port)"
    }
  }
}

/// The folder of the server's data. One process uses it at a time.
final class DataFolder {
  let path: String
  /// Whether the system may have restarted since the folder was used.
  let mayHaveLostPower: Bool
  private let lock: Int32
  private let calls: DiskCalls

  /// Makes the folder if there is none, and locks it until this object goes. With
  /// `isForTool`, a tool needs this very folder, and not a server any folder.
  ///
  /// - Throws: if it is in use, or cannot be made.
  init(
    _ path: String, isForTool: Bool = false, calls: DiskCalls = DiskCalls()
  ) throws(StartError) {
    self.path = path
    self.calls = calls
    do throws(SystemError) {
      try NewFolder.make(path)
    } catch {
      throw StartError(
        code: .cannotCreate,
        sentence: "The data folder \(path) cannot be made: \(error.reason)."
          + DiskRoom.inodeSentence(error.code, path)
          + " To use another one, type: tictactoe-server --data FOLDER")
    }
    lock = try Self.lock(path, isForTool)
    let words = Self.words(in: lock)
    if !isForTool {
      do throws(StartError) {
        try BackupMark.checkIsNotHalf(path)
      } catch {
        close(lock)
        throw error
      }
      // From now on it is the data of a server, and goes on.
      unlink("\(path)/\(BackupMark.name)")
    }
    let boot = Self.boot
    mayHaveLostPower = boot == nil || words.count < 2 || words[1] != boot
    writeLock(boot: boot)
    // A repair that was interrupted in between.
    if access(journal.path, F_OK) != 0 { rename("\(path)/\(Self.repaired)", journal.path) }
  }

  /// Opens and locks the file for that.
  private static func lock(_ path: String, _ isForTool: Bool) throws(StartError) -> Int32 {
    while true {
      let lock: Int32
      do throws(SystemError) {
        lock = try systemCall("open") {
          open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
      } catch {
        throw StartError(
          code: .cannotCreate,
          sentence: "The data folder \(path) cannot be used: \(error.reason)."
            + DiskRoom.inodeSentence(error.code, path)
            + " To use another one, type: tictactoe-server --data FOLDER")
      }
      guard isLocked(lock) else {
        defer { close(lock) }
        throw isInUse(path, by: words(in: lock), isForTool: isForTool)
      }
      // Another folder may have taken the name while this waited for its lock.
      if FileIdentity("\(path)/lock") == FileIdentity(of: lock) { return lock }
      close(lock)
    }
  }

  deinit {
    // A program that is being started may have a copy of the descriptor.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Only for people and the next start; the lock itself is what counts.
  private func writeLock(boot: String?) {
    let text = "\(getpid()) \(boot ?? "")\n"
    ftruncate(lock, 0)
    _ = Array(text.utf8).withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
  }

  /// Checks that no process uses a folder, which may not exist.
  ///
  /// - Throws: if one does.
  static func checkIsUnused(_ path: String) throws(StartError) {
    let lock = open("\(path)/lock", O_RDWR | O_CLOEXEC)
    guard lock >= 0 else { return }
    defer { close(lock) }
    guard isLocked(lock) else { throw isInUse(path, by: words(in: lock)) }
  }

  /// Locks the folder, and returns whether that was possible.
  private static func isLocked(_ lock: Int32) -> Bool {
    // The kernel releases the lock of a process that was killed a moment after its sockets.
    for _ in 0..<50 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  private static func isInUse(
    _ path: String, by words: [String], isForTool: Bool = false
  ) -> StartError {
    let advice =
      isForTool
      ? "Stop it first, or wait until it ends."
      : "To start another server, give it a folder of its own:"
        + " tictactoe-server --port PORT --data FOLDER"
    return StartError(
      code: .unavailable,
      sentence: "The data folder \(path) is in use by process \(words.first ?? "unknown")."
        + " \(advice)")
  }

  /// What is there as long as a server runs, besides the segments of the journal.
  var files: [String] {
    [path, "\(path)/lock", journal.path]
      + ["", "-wal", "-shm"].map { "\(path)/\(Archive.fileName)\($0)" }
  }

  var journal: SegmentFolder { SegmentFolder(path: "\(path)/journal", calls: calls) }

  /// A journal that takes the place of a damaged one.
  private static let repaired = "journal.repaired"

  /// Returns an empty folder for a journal that takes the place of the present one with
  /// `finishRepair`.
  func beginRepair() throws -> SegmentFolder {
    // The next start looks for what was lost.
    writeLock(boot: nil)
    let target = SegmentFolder(path: "\(path)/journal.repairing", calls: calls)
    if FileManager.default.fileExists(atPath: target.path) {
      try FileManager.default.removeItem(atPath: target.path)
    }
    try target.create()
    return target
  }

  /// Puts the new journal in place.
  ///
  /// - Returns: where the present one is now.
  func finishRepair() throws(SystemError) -> String {
    let repaired = "\(path)/\(Self.repaired)"
    var number = 1
    while access("\(path)/journal.damaged-\(number)", F_OK) == 0 { number += 1 }
    let damaged = "\(path)/journal.damaged-\(number)"
    for (old, new) in [
      ("\(path)/journal.repairing", repaired), (journal.path, damaged), (repaired, journal.path),
    ] {
      _ = try systemCall("rename") { rename(old, new) }
    }
    try SegmentFolder(path: path).synchronize()
    return damaged
  }

  /// The process that uses the folder, and the boot of the system.
  private static func words(in file: Int32) -> [String] {
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Names the time since the system was started; `nil` where it cannot be known.
  private static var boot: String? {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
