import Foundation
import Shared

/// The room on the file system of a folder, for this user.
struct DiskRoom: Equatable {
  /// In bytes.
  var free = 0
  var size = 0
  /// Whether no file can be made, whatever room there is, because all inodes are in use.
  var lacksInodes = false

  /// That of a path, or of what is above it if there is nothing yet. What cannot be read counts as
  /// nothing.
  init(of path: String) {
    var url = URL(fileURLWithPath: path)
    while url.path != "/", access(url.path, F_OK) != 0 { url.deleteLastPathComponent() }
    var system = statvfs()
    guard statvfs(url.path, &system) == 0 else { return }
    free = Int(system.f_bavail) * Int(system.f_frsize)
    size = Int(system.f_blocks) * Int(system.f_frsize)
    // Some file systems have no fixed number of inodes, and show none at all.
    lacksInodes = system.f_files > 0 && system.f_favail == 0
  }

  /// With less, SQLite may call a full disk an input/output error.
  private static let minFree = 1_048_576

  /// A sentence for people, behind a space, if there is hardly any room.
  static func roomSentence(_ path: String) -> String {
    let room = DiskRoom(of: path)
    guard room.size > 0, room.free < minFree else { return "" }
    return " Its file system has only \(Count.of(room.free, "byte")) left: make room."
  }

  /// A sentence for people, behind a space, if an error came because all inodes are in use.
  static func inodeSentence(_ code: Int32?, _ path: String) -> String {
    guard code == nil || code == ENOSPC, DiskRoom(of: path).lacksInodes else { return "" }
    return " All inodes of its file system are in use (df -i): remove files that nobody needs."
  }
}
