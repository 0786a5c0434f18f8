/// The latest notices of a screen: a pure value. A notice leaves after ten seconds, or with the
/// next key. Times are on the loop's clock.
struct Notices: Equatable {
  /// The maximum number of notices, and of the lines that they may take.
  static let maxCount = 3
  static let showTime = Duration.seconds(10)
  /// How long a notice stays in spite of keys, which were pressed before it could be read.
  static let minTime = Duration.milliseconds(500)

  private struct Notice: Equatable {
    let text: String
    let time: Duration
  }

  private var notices: [Notice] = []

  /// The texts, the latest last.
  var texts: [String] { notices.map(\.text) }
  var isEmpty: Bool { notices.isEmpty }
  var latest: String? { notices.last?.text }

  mutating func add(_ text: String, at now: Duration) {
    notices = (notices + [Notice(text: text, time: now)]).suffix(Self.maxCount)
  }

  /// A key was pressed.
  mutating func didPress(at now: Duration) {
    notices.removeAll { now - $0.time >= Self.minTime }
  }

  /// Removes the notices that have been shown long enough.
  mutating func expire(at now: Duration) {
    notices.removeAll { now - $0.time >= Self.showTime }
  }

  /// What the notices say is over.
  mutating func removeAll() {
    notices = []
  }
}
