import Foundation

/// The memory of this process.
package enum ProcessMemory {
  /// The resident bytes; `nil` where the system does not say.
  package static var resident: Int? {
    let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return words.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * Int(getpagesize()) }
  }
}
