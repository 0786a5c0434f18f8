/// The id of an entry in the stream of a match. The engine refuses an id that is not larger than
/// the last, and so shuts out an owner whose term is over.
struct EntryID: Comparable, Hashable {
  /// Goes up by one with each owner.
  let term: Int
  /// Counts the entries of the term; 0 is the claim with which it begins.
  let number: Int

  init(term: Int, number: Int) {
    self.term = term
    self.number = number
  }

  /// Parses an id such as `3-12`.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let term = Int(parts[0]), let number = Int(parts[1]), term >= 0,
      number >= 0
    else { return nil }
    self.init(term: term, number: number)
  }

  var text: String { "\(term)-\(number)" }

  static func < (one: Self, other: Self) -> Bool {
    (one.term, one.number) < (other.term, other.number)
  }
}

/// An entry in the stream of a match.
struct StreamEntry: Equatable {
  let id: EntryID
  /// The entry before this one; `nil` for the first. Ids alone do not show that nothing is missing
  /// between two entries.
  private(set) var previous: EntryID?
  /// Records as in the journal: each is a letter, a space, the payload and a LF.
  var records: [UInt8] = []
  /// The new owner of the match, and a random word by which it recognizes its own claim.
  var claim: String?
  /// Whether the match has ended.
  var isFinished = false

  init(_ id: EntryID, after previous: EntryID?) {
    self.id = id
    self.previous = previous
  }

  /// Parses an element of the reply to `XRANGE`; `nil` if it is no entry of a match.
  init?(_ reply: RedisReply) {
    guard let parts = reply.elements, parts.count == 2,
      let id = parts[0].text.flatMap(EntryID.init),
      let words = parts[1].elements, words.count % 2 == 0
    else { return nil }
    self.init(id, after: nil)
    for index in stride(from: 0, to: words.count, by: 2) {
      let value = words[index + 1]
      switch words[index].text {
      case "p":
        guard let before = value.text.flatMap(EntryID.init) else { return nil }
        previous = before
      case "d":
        guard case .bulk(let bytes) = value else { return nil }
        records = bytes
      case "c": claim = value.text
      case "x": isFinished = true
      default: break
      }
    }
  }

  /// Adds the command that appends the entry to the stream of a match. Only the first entry creates
  /// the stream. If it has been deleted, later entries are not written, and the reply is `null`.
  func append(to match: String, in commands: inout RedisCommands) {
    append(after: Self.command(for: match, isFirst: previous == nil), in: &commands)
  }

  /// The first words of that command, encoded.
  static func command(for match: String, isFirst: Bool = false) -> [UInt8] {
    var words = RedisCommands()
    words.add(word: "XADD")
    words.add(word: RedisKey.stream(match))
    if !isFirst { words.add(word: "NOMKSTREAM") }
    return words.bytes
  }

  /// Adds the command, whose first words are encoded already.
  func append(after words: [UInt8], in commands: inout RedisCommands) {
    let fields =
      (previous == nil ? 0 : 2) + (records.isEmpty ? 0 : 2) + (claim == nil ? 0 : 2)
      + (isFinished ? 2 : 0)
    precondition(fields > 0, "an entry says something")
    commands.begin(words: (previous == nil ? 3 : 4) + fields)
    commands.add(encoded: words)
    commands.add(word: id)
    if let previous {
      commands.add(encoded: "$1\r\np\r\n")
      commands.add(word: previous)
    }
    if !records.isEmpty {
      commands.add(encoded: "$1\r\nd\r\n")
      commands.add(word: records)
    }
    if let claim {
      commands.add(word: "c")
      commands.add(word: claim)
    }
    if isFinished {
      commands.add(word: "x")
      commands.add(word: "1")
    }
  }

  /// Reads the entries in the reply to an `XRANGE` of a whole stream; `nil` if one is missing, or
  /// cannot be read.
  static func stream(in replies: [RedisReply]) -> [StreamEntry]? {
    let entries = whole(replies.compactMap { StreamEntry($0) })
    return entries.count == replies.count ? Array(entries) : nil
  }

  /// Whether these are what `RedisScript.removeArchived` leaves of a stream for a while.
  static func isRemoved(_ entries: [StreamEntry]) -> Bool {
    guard entries.count == 1, let only = entries.first else { return false }
    return only.isFinished && only.previous != nil && only.records.isEmpty
  }

  /// Returns the first entries of a stream, up to one that does not follow the one before it.
  static func whole(_ entries: [StreamEntry]) -> ArraySlice<StreamEntry> {
    var last: EntryID?
    let end = entries.firstIndex { entry in
      defer { last = entry.id }
      return entry.previous != last
    }
    return entries[..<(end ?? entries.endIndex)]
  }
}
