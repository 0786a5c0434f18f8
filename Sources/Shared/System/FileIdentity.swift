import Foundation

/// Which file a path names. A file that takes the place of another one has another identity.
package struct FileIdentity: Equatable, Sendable {
  /// The file system.
  package let device: UInt64
  private let number: UInt64

  /// `nil` if nothing can be reached there.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of an open file; `nil` if it is closed.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension String {
  /// The path of the file itself, if there are links in this one; `nil` if there is none.
  package var realPath: String? {
    guard let found = realpath(self, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
