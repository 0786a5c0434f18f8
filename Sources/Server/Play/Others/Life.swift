/// One life of a server that is one of several: from the moment at which it joins the others until
/// it leaves, or is taken for dead. What is written as that of a server is that of one of its
/// lives.
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
    guard words.count == 2, Self.isNodeName(String(words[0])), let incarnation = Int(words[1])
    else { return nil }
    self.init(node: String(words[0]), incarnation: incarnation)
  }

  /// Whether a text can be the name of a node: 1 to 32 letters, digits, dots, hyphens and
  /// underscores, all ASCII.
  static func isNodeName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  var text: String { "\(node) \(incarnation)" }
}
