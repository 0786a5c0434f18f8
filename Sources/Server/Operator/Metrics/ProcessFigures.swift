import Foundation
import Shared

/// What the process itself uses, as the operating system counts it.
struct ProcessFigures {
  let cpuTime: Duration
  /// This and the following are `nil` where the system does not say.
  let memory: ProcessMemory?
  let openDescriptors: Int?
  let maxDescriptors: Int?

  init() {
    // POSIX sets the unit of clock(3).
    cpuTime = .microseconds(Int64(clock()))
    memory = ProcessMemory.current
    openDescriptors = Self.countDescriptors()
    maxDescriptors = DescriptorLimit.current
  }

  private static func countDescriptors() -> Int? {
    let folder = "/proc/self/fd"
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    // The size is the number since Linux 6.2. Before that it is 0, and the names have to be
    // counted, one of which is that of the list itself.
    if status.st_size > 0 { return Int(status.st_size) }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)).map { $0.count - 1 }
  }
}
