import Shared

/// What players learn at their next log-in, because they were away when the operator disconnected
/// them. The oldest are forgotten.
struct KickNotices {
  static let maxCount = 100

  private var notices: [(key: ExactText, text: String)] = []

  mutating func add(_ text: String, for name: PlayerName) {
    _ = take(for: name)
    if notices.count == Self.maxCount { notices.removeFirst() }
    notices.append((name.key, text))
  }

  /// Returns what the owner of a name has missed, once; `nil` for nothing.
  mutating func take(for name: PlayerName) -> String? {
    guard let index = notices.firstIndex(where: { $0.key == name.key }) else { return nil }
    return notices.remove(at: index).text
  }
}
