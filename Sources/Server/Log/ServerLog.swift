import Shared

/// What the server remembers and tells of itself, to whoever runs it. There is one, and everything
/// that does something notes it there.
final class ServerLog {
  /// Most RIBs that a report lists: more than anybody reads, and little enough not to keep the
  /// games waiting.
  static let longestTree = 1_000

  let log: Log
  var counters = Counters()

  init(_ log: Log) {
    self.log = log
  }

  /// Writes the live tree and the counters.
  func report(on root: any Routing) {
    let tree = RIBTree(root, maxLines: Self.longestTree)
    for line in tree.lines { log.answer("tree", ["text": .words(line)]) }
    if tree.more > 0 { log.answer("tree", ["more": .number(tree.more)]) }
    log.answer("counters", counters.fields)
  }
}
