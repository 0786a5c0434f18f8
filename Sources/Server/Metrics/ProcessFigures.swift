import Foundation
import Shared

/// What the process itself uses, as the operating system counts it.
struct ProcessFigures {
  let cpuTime: Duration
  /// `nil` where the system does not tell.
  let residentBytes: Int?
  let virtualBytes: Int?
  let openDescriptors: Int?
  let maxDescriptors: Int?

  init() {
    // POSIX sets the unit of clock(3).
    cpuTime = .microseconds(Int64(clock()))
    // See proc(5). The numbers are those of pages: all, and those in memory.
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").prefix(2).compactMap { Int($0) }
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    virtualBytes = pages?.first.map { $0 * pageSize }
    residentBytes = pages?.last.map { $0 * pageSize }
    openDescriptors = Self.countDescriptors()
    maxDescriptors = DescriptorLimit.current
  }

  private static func countDescriptors() -> Int? {
    let folder = "/proc/self/fd"
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    // The size is the number since Linux 6.2. Before that it is 0, and the names have to be counted,
    // one of which is that of the list itself.
    if status.st_size > 0 { return Int(status.st_size) }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)).map { $0.count - 1 }
  }
}
