import Foundation
import Shared

/// What alerts need to know of the server, besides its counters.
struct OperationFigures {
  /// The limits that the options set; `nil` for none.
  var maxConnections: Int?
  var maxMatches: Int?
  var isDraining = false
  /// Whether the server runs with its configuration as it is.
  var hasGoodConfiguration = true
  /// When the configuration was last read.
  var configurationRead = Date(timeIntervalSince1970: 0)
  /// Lines that the log has lost.
  var droppedLines = 0
  /// `nil` if nothing is kept.
  var data: DiskFigures?
}

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

  /// Figures of a folder that are used for a while, because they take some system calls.
  final class Cache {
    static let time: Duration = .seconds(5)

    private var last: (figures: DiskFigures, time: Duration)?

    func figures(of folder: String, at now: Duration, archiveLag: Duration) -> DiskFigures {
      if last.map({ now >= $0.time + Self.time }) ?? true { last = (DiskFigures(of: folder), now) }
      var figures = last?.figures ?? DiskFigures()
      figures.archiveLag = archiveLag
      return figures
    }
  }

  init() {}

  init(of folder: String) {
    // What cannot be read counts as nothing: the start has read it, and other parts complain.
    journal = (try? StatsTool.bytesOnDisk("\(folder)/journal")) ?? 0
    archive = (try? StatsTool.bytesOnDisk(folder, Archive.fileName)) ?? 0
    (free, size) = Self.room(of: folder)
    lastBackup = BackupTool.lastBackup(of: folder)
  }

  /// Returns the bytes of the file system of a folder: what this user may still take, and all.
  static func room(of folder: String) -> (free: Int, size: Int) {
    var system = statvfs()
    guard statvfs(folder, &system) == 0 else { return (0, 0) }
    return (
      Int(system.f_bavail) * Int(system.f_frsize), Int(system.f_blocks) * Int(system.f_frsize)
    )
  }
}
