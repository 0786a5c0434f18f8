import Foundation
import Shared

/// A folder that is made with those above it. Those that are made are for their owner only.
enum NewFolder {
  /// Does nothing if there is a folder already.
  ///
  /// - Throws: `ENOTDIR` if there is something else, or something else is above it; other errors of
  ///   `mkdir`.
  static func make(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      _ = try systemCall("mkdir") { mkdir(path, 0o700) }
    } catch {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if exists, isFolder.boolValue { return }
      if error.code == EEXIST { throw SystemError(call: "mkdir", code: ENOTDIR) }
      let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard error.code == ENOENT, parent != path,
        !FileManager.default.fileExists(atPath: parent)
      else { throw error }
      try make(parent)
      _ = try systemCall("mkdir") { mkdir(path, 0o700) }
    }
  }
}

/// Files that are written once, and are on the disk then. They are for their owner only.
enum NewFile {
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = try systemCall("open") {
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    defer { close(descriptor) }
    try write(bytes[...], to: descriptor)
    _ = try systemCall("fsync") { fsync(descriptor) }
  }

  /// Writes all bytes to an open file.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.dropFirst(
        try systemCall("write") {
          rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        })
    }
  }

  /// Replaces a file at once: whoever reads it sees all of the old or of the new one. Its folder is
  /// not on the disk yet.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let new = "\(path).new"
    // Of a process that died here.
    unlink(new)
    try write(bytes, to: new)
    _ = try systemCall("rename") { rename(new, path) }
  }

  static func synchronize(_ path: String) throws(SystemError) {
    let descriptor = try systemCall("open") { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    _ = try systemCall("fsync") { fsync(descriptor) }
  }
}
