import Foundation
import Shared

/// A folder of backups, each in a folder of its own with the time at which it was begun as its
/// name.
///
/// A backup that is being made, or removed, has another name, which begins with a period. So a
/// process that dies leaves no half backup under the name of a whole one, and the next one removes
/// what is left.
final class BackupFolder {
  let path: String
  /// Locked as long as this object lives.
  private let descriptor: Int32

  /// Makes the folder if there is none.
  ///
  /// - Throws: a sentence for people if it cannot be made, or another process puts a backup
  ///   into it.
  init(_ path: String) throws(StartError) {
    self.path = path
    do throws(SystemError) {
      try NewFolder.make(path)
      descriptor = try systemCall("open") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    } catch {
      throw StartError(
        code: .cannotCreate,
        sentence: "The folder \(path) cannot be made: \(error.reason)."
          + DiskRoom.inodeSentence(error.code, path))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw StartError(
        code: .unavailable,
        sentence: "Another process puts a backup into \(path) at this moment. Wait until it ends.")
    }
  }

  deinit { close(descriptor) }

  /// The whole backups by their names, the oldest first. What only looks like one does not count: a
  /// link, a folder without the mark, a folder that a server or a tool uses.
  var backups: [String] {
    get throws { try Self.names(in: path).filter { isWhole("\(path)/\($0)") } }
  }

  /// Makes a backup and removes the oldest others, so that `count` whole ones are left. `copy` puts
  /// it into an empty folder, on the disk.
  ///
  /// - Returns: its path, and the names of those that were removed.
  func add(
    keeping count: Int, at time: Date, _ copy: (_ target: String) throws -> Void
  ) throws -> (path: String, removed: [String]) {
    try removeLeftovers()
    let name = try freeName(at: time)
    let copying = "\(path)/\(Self.hidden(name))"
    _ = try systemCall("mkdir") { mkdir(copying, 0o700) }
    do {
      try copy(copying)
      _ = try systemCall("rename") { rename(copying, "\(path)/\(name)") }
      try NewFile.synchronize(path)
    } catch {
      try? FileManager.default.removeItem(atPath: copying)
      throw error
    }
    return ("\(path)/\(name)", try removeOldest(keeping: count, besides: name))
  }

  /// The new backup is kept, also if the clock was set back and its name is that of an older one.
  private func removeOldest(keeping count: Int, besides new: String) throws -> [String] {
    let others = try backups.filter { $0 != new }
    let oldest = Array(others.dropLast(max(0, count - 1)))
    for name in oldest {
      let removing = "\(path)/\(Self.hidden(name))"
      _ = try systemCall("rename") { rename("\(path)/\(name)", removing) }
      try FileManager.default.removeItem(atPath: removing)
    }
    return oldest
  }

  private func removeLeftovers() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      guard name.hasPrefix("."), name.hasSuffix(".part"), Self.isName(name.dropFirst().dropLast(5))
      else { continue }
      try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  private func isWhole(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    guard (try? BackupMark.read(in: folder))?.isWhole == true else { return false }
    return (try? DataFolder.checkIsUnused(folder)) != nil
  }

  private func freeName(at time: Date) throws -> String {
    let base = Self.name(at: time)
    let all = Set(try FileManager.default.contentsOfDirectory(atPath: path))
    var (name, number) = (base, 1)
    while all.contains(name) {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }

  private static func hidden(_ name: String) -> String { ".\(name).part" }

  /// Such as `2026-11-26T041500Z`, which is in order with others as a text.
  static func name(at time: Date) -> String {
    var seconds = time_t(time.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d%02d%02dZ", parts.tm_year + 1_900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec)
  }

  private static func isName(_ text: some StringProtocol) -> Bool {
    String(text).wholeMatch(of: /\d{4}-\d\d-\d\dT\d{6}Z(-\d{1,4})?/) != nil
  }

  /// What has the name of a backup, the oldest first.
  private static func names(in path: String) throws -> [String] {
    // By the number behind the time too, of which 10 comes after 9.
    try FileManager.default.contentsOfDirectory(atPath: path).filter { isName($0) }
      .sorted { ($0.prefix(18), $0.count, $0) < ($1.prefix(18), $1.count, $1) }
  }

  /// The path of the newest whole backup in a folder of backups; `nil` if there is none.
  static func newest(in path: String) -> String? {
    guard let names = try? names(in: path) else { return nil }
    return names.last { (try? BackupMark.read(in: "\(path)/\($0)"))?.isWhole == true }
      .map { "\(path)/\($0)" }
  }
}
