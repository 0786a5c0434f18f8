/// One life of a node: from the moment at which it joins the cluster until it leaves, or is taken
/// for dead. What is written in the engine as that of a node is that of one of its lives.
struct Life: Hashable {
  let node: String
  /// Each life in the cluster has a larger one than those before.
  let incarnation: Int

  init(node: String, incarnation: Int) {
    self.node = node
    self.incarnation = incarnation
  }

  /// Parses a text such as `north 12`.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, NodeEntry.isName(String(words[0])), let incarnation = Int(words[1])
    else { return nil }
    self.init(node: String(words[0]), incarnation: incarnation)
  }

  var text: String { "\(node) \(incarnation)" }
}
