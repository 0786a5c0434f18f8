import Foundation
import Shared

extension DiskFigures {
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
