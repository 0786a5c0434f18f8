import Shared

/// Why the archive cannot be changed for a while, or until a restart. Games go on meanwhile, and
/// what the archive lacks stays in the journal.
enum ArchiveOutage: Equatable {
  /// Another program holds a lock on it.
  case locked
  /// Files of the data folder have been removed or replaced: their paths.
  case missing([String])
  /// SQLite has found a page that is damaged, for the given reason.
  case damaged(String)

  /// The outage that an error shows; `nil` for another error.
  init?(_ error: any Error) {
    switch error {
    case let error as MissingFilesError: self = .missing(error.paths)
    // Lines without their checksum concern one match.
    case let error as DatabaseError where error == .damaged: return nil
    case let error as DatabaseError where error.isLocked: self = .locked
    case let error as DatabaseError where error.isDamage: self = .damaged(error.reason)
    default: return nil
    }
  }

  enum Kind {
    case locked, missing, damaged
  }

  var kind: Kind {
    switch self {
    case .locked: .locked
    case .missing: .missing
    case .damaged: .damaged
    }
  }

  /// Whether it may end without a restart.
  var canEnd: Bool {
    switch self {
    case .locked, .missing: true
    case .damaged: false
    }
  }

  /// Why the server should get no new players, for people; `nil` if it may.
  var whyNotReady: String? {
    switch self {
    case .locked: nil
    case .missing: "Files of the data folder have been removed or replaced."
    case .damaged: "The archive is damaged."
    }
  }
}
