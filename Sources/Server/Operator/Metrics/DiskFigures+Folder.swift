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
    let room = DiskRoom(of: folder)
    (free, size) = (room.free, room.size)
    lastBackup = BackupTool.lastBackup(of: folder)
  }
}
