import Foundation
import Shared

/// What the data folder takes up, and what is left.
struct DiskFigures {
  var journal = 0
  var archive = 0
  /// Of the whole file system, for this user.
  var free = 0
  var size = 0
  /// How long the oldest record has waited to be put into the archive.
  var archiveLag = Duration.zero
  /// When the last backup was made; `nil` if there was none.
  var lastBackup: Date?
}
