/// What a node says of itself to the others: a field of the engine's hash `nodes`, as words with
/// spaces between them.
struct NodeEntry: Equatable {
  /// The number of this life of the node. A process that takes the name again has a larger one.
  let incarnation: Int
  /// Goes up with each renewal, once a second.
  let counter: Int
  /// The number of its sessions.
  let load: Int
  /// Where clients reach it: `host:port`.
  let address: String

  init(incarnation: Int, counter: Int, load: Int, address: String) {
    self.incarnation = incarnation
    self.counter = counter
    self.load = load
    self.address = address
  }

  /// Parses a field; `nil` if another version of the server has written it.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, let incarnation = Int(words[0]), let counter = Int(words[1]),
      let load = Int(words[2]), !words[3].isEmpty
    else { return nil }
    self.init(
      incarnation: incarnation, counter: counter, load: load, address: String(words[3]))
  }

  /// What another renewal, or another life, changes.
  var moment: String { "\(incarnation) \(counter)" }

  var text: String { "\(incarnation) \(counter) \(load) \(address)" }
}
