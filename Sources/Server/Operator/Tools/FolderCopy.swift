import Foundation
import Shared

/// Copies of files that are on the disk afterwards, and belong to whom they should.
enum FolderCopy {
  private static let chunk = 1 << 20

  /// Copies a file of any size. The copy is for its owner only.
  static func copy(_ source: String, to target: String) throws(SystemError) {
    let input = try systemCall("open") { open(source, O_RDONLY | O_CLOEXEC) }
    defer { close(input) }
    let output = try systemCall("open") {
      open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = try systemCall("read") { read(input, &buffer, buffer.count) }
      if count == 0 { break }
      try NewFile.write(buffer[..<count], to: output)
    }
    _ = try systemCall("fsync") { fsync(output) }
  }

  /// Waits until the files of a folder, and its names, are on the disk.
  static func synchronize(_ folder: String) throws {
    for path in try paths(in: folder) { try NewFile.synchronize(path) }
  }

  /// Gives a folder and all in it to the owner of another folder, if this user may do that.
  static func giveOwner(of other: String, to folder: String) throws {
    var status = stat()
    guard geteuid() == 0, stat(other, &status) == 0 else { return }
    for path in try paths(in: folder) {
      _ = try systemCall("lchown") { lchown(path, status.st_uid, status.st_gid) }
    }
  }

  /// The folder itself and all below.
  private static func paths(in folder: String) throws -> [String] {
    try [folder] + FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
  }
}
