import Shared

extension AttackResult {
  /// In Markdown.
  static let tableHead = """
    | attack | ping p50, p99, max | login p50, max | echo max | memory peak, after \
    | descriptors | log | processor | games lost, closed, refused | verdict |
    |---|---|---|---|---|---|---|---|---|---|
    """

  var tableRow: String {
    let (pings, logins) = (metrics.pings, metrics.logins)
    let harms = [metrics.lostGames, metrics.closedConnections, metrics.refusals]
    let cells = [
      attack.name,
      [pings.quantile(0.5), pings.quantile(0.99), pings.max].brief,
      [logins.quantile(0.5), logins.max].brief,
      [echo.max].brief,
      "\(memory.megabytes), \(quietMemory.megabytes)",
      "\(heldDescriptors)",
      "\(logPerSecond / 1_000) kB/s",
      "\(Int(100 * Double(processorTime.milliseconds) / 1_000 / seconds)) %",
      harms.map { "\($0.values.reduce(0, +))" }.joined(separator: ", "),
      failures.isEmpty ? "passed" : "FAILED",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }
}

extension [Duration?] {
  /// For a table.
  fileprivate var brief: String { map { $0?.brief ?? "–" }.joined(separator: ", ") }
}

extension Int {
  /// A number of bytes, for people.
  var megabytes: String { "\(self / 1_000_000) MB" }
}
