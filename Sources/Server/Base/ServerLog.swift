import RIBs
import Shared

/// The log and the counters of the server, which all its parts share.
final class ServerLog {
  /// The maximum number of RIBs in a report. It is more than people read, and small enough not to
  /// delay games.
  static let maxTreeLines = 1_000

  let log: Log
  /// How long work takes; `nil` unless somebody asks.
  let metrics: Metrics?
  var counters = Counters()

  init(_ log: Log, metrics: Metrics? = nil) {
    self.log = log
    self.metrics = metrics
  }

  /// Writes the tree of RIBs and the counters.
  func report(on root: any Routing) {
    let tree = RIBTree(root, maxLines: Self.maxTreeLines)
    for line in tree.lines { log.report("tree", ["text": .words(line)]) }
    if tree.more > 0 { log.report("tree", ["more": .number(tree.more)]) }
    log.report("counters", counters.fields)
  }
}
