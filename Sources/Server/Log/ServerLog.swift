import Shared

/// The log and the counters of the server. There is one, which all parts of the server share.
final class ServerLog {
  /// The maximum number of RIBs in a report: more than people read, and few enough not to delay
  /// games.
  static let maxTreeLines = 1_000

  let log: Log
  var counters = Counters()

  init(_ log: Log) {
    self.log = log
  }

  /// Writes the tree of RIBs and the counters.
  func report(on root: any Routing) {
    let tree = RIBTree(root, maxLines: Self.maxTreeLines)
    for line in tree.lines { log.report("tree", ["text": .words(line)]) }
    if tree.more > 0 { log.report("tree", ["more": .number(tree.more)]) }
    log.report("counters", counters.fields)
  }
}
