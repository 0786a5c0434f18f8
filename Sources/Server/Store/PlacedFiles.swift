import Shared

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
