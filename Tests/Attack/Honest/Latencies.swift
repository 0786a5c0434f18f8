import Shared

/// A series of response times.
struct Latencies {
  private var all: [Duration] = []

  var count: Int { all.count }
  var max: Duration? { all.max() }

  mutating func add(_ latency: Duration) { all.append(latency) }

  /// The response time that this share of all does not exceed; `nil` if there are none.
  func quantile(_ share: Double) -> Duration? {
    guard !all.isEmpty else { return nil }
    let sorted = all.sorted()
    return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

extension Duration {
  /// For a table: "85 µs", "1.2 ms", "12 ms", "3.4 s".
  var brief: String {
    let milliseconds = Double(attoseconds) / 1e15
    if milliseconds < 0.1 { return "\(Int((milliseconds * 1_000).rounded())) µs" }
    if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
    if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }
}
