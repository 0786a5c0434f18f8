import Foundation

/// Which file a path names. A file that takes the place of another one has another identity.
package struct FileIdentity: Equatable, Sendable {
  /// The file system.
  package let device: UInt64
  private let number: UInt64

  /// `nil` if nothing can be reached there.
  package init?(_ path: String) {
    guard let status = fileStatus(of: path) else { return nil }
    self.init(status)
  }

  /// That of an open file; `nil` if it is closed.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// When a file or a folder was last changed, moved to its place, or given other rights, and which
/// file it is: the clock of a file system ticks every few milliseconds, in which a file can be
/// replaced.
package struct FileChange: Equatable, Sendable {
  /// The time since 1970.
  package let time: Duration
  private let file: FileIdentity

  /// `nil` if there is nothing at the path.
  package init?(of path: String) {
    guard let status = fileStatus(of: path) else { return nil }
    #if os(Linux)
      let changed = status.st_ctim
    #else
      let changed = status.st_ctimespec
    #endif
    time = Duration(
      secondsComponent: Int64(changed.tv_sec),
      attosecondsComponent: Int64(changed.tv_nsec) * 1_000_000_000)
    file = FileIdentity(status)
  }
}

private func fileStatus(of path: String) -> stat? {
  var status = stat()
  return stat(path, &status) == 0 ? status : nil
}

extension String {
  /// The path of the file itself, if there are links in this one; `nil` if there is none.
  package var realPath: String? {
    guard let found = realpath(self, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
