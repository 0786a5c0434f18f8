import Foundation

/// Which file a path names. A file that takes the place of another one has another identity.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// `nil` if nothing can be reached there.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of an open file; `nil` if it is closed.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// Files that must stay where they are while the server has them open: what it writes into a file
/// without a name is lost with the process.
struct PlacedFiles: Sendable {
  private let identities: [(path: String, identity: FileIdentity)]

  /// Notes which files are at some paths now. Paths without a file do not count.
  init(_ paths: [String]) {
    identities = paths.compactMap { path in FileIdentity(path).map { (path, $0) } }
  }

  /// The paths whose files have been removed or replaced.
  var missing: [String] {
    identities.filter { FileIdentity($0.path) != $0.identity }.map(\.path)
  }
}

/// Files of the archive have been removed or replaced.
struct MissingFilesError: Error, Equatable {
  let paths: [String]
}
