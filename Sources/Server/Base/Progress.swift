import Foundation
import Shared

/// The progress of work that takes longer than a second, on a terminal only.
final class Progress {
  private let what: String
  private let total: Int?
  private let start = ContinuousClock.now
  private var done = 0
  private var last = ""

  /// `total` is the size of the whole work; `nil` if nobody knows it.
  init(_ what: String, of total: Int? = nil) {
    self.what = what
    self.total = total
  }

  deinit { if !last.isEmpty { show("") } }

  func add(_ more: Int) {
    done += more
    guard total != 0, isatty(STDERR_FILENO) == 1, .now - start > .seconds(1) else { return }
    show("\(what) … \(total.map { "\(min(99, 100 * done / $0)) %" } ?? Count.text(done))")
  }

  private func show(_ text: String) {
    guard text != last else { return }
    let spaces = String(repeating: " ", count: max(0, last.count - text.count))
    try? FileHandle.standardError.write(contentsOf: Data("\r\(text)\(spaces)\r\(text)".utf8))
    last = text
  }
}
