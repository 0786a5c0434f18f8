import Foundation
import Shared

/// Files that are written once, and are on the disk then. They are for their owner only.
enum NewFile {
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = try systemCall("open") {
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      offset += try systemCall("write") {
        bytes.withUnsafeBytes { bytes in
          Foundation.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        }
      }
    }
    _ = try systemCall("fsync") { fsync(descriptor) }
  }

  static func synchronize(_ path: String) throws(SystemError) {
    let descriptor = try systemCall("open") { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    _ = try systemCall("fsync") { fsync(descriptor) }
  }
}
