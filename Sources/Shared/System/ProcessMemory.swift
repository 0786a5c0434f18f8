import Foundation

/// The memory of this process in bytes.
package struct ProcessMemory {
  /// The address space.
  package let virtual: Int
  /// The part that is in RAM.
  package let resident: Int

  /// The memory now; `nil` where the system does not say.
  package static var current: ProcessMemory? {
    // See proc(5). The numbers are those of pages: all, and those in memory.
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").prefix(2).compactMap { Int($0) }
    guard let numbers, numbers.count == 2 else { return nil }
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    return ProcessMemory(virtual: numbers[0] * pageSize, resident: numbers[1] * pageSize)
  }
}
