import Shared

/// A match that this node owns, and what its stream in the engine should contain. The last entries
/// are kept as long as the match lives: the engine may lose some of them when its primary dies.
final class OwnedMatch {
  /// The minimum number of entries that are kept, the latest ones: those of about a hundred games.
  static let keptEntries = 1_024

  let id: String
  /// The ids of the players' sessions.
  let sessions: [String]
  /// The term of this owner.
  private let term: Int
  private let life: Life
  /// The first words of the command for an entry, encoded.
  private let command: [UInt8]
  /// The entry with which this owner has claimed the match; `nil` for a match that began here.
  private let claim: StreamEntry?
  private var entries: [StreamEntry]
  /// How many of the entries are certainly in the stream.
  private var confirmed: Int
  /// How many of them have ever been.
  private var reported: Int
  /// The records of the next entry.
  private var gathered: [UInt8] = []
  /// Whether the first entries are not kept any more.
  private var isTrimmed = false
  /// Whether the last record is gathered.
  private(set) var isFinished = false
  /// Whether the store has the match on its list of those with something to send.
  var isListed = false

  /// A new match.
  init(_ id: String, sessions: [String], begunBy life: Life) {
    self.id = id
    self.sessions = sessions
    self.life = life
    command = StreamEntry.command(for: id)
    term = 1
    claim = nil
    entries = []
    confirmed = 0
    reported = 0
  }

  /// A match that this node has claimed, or was given. The last of the entries is the claim; if
  /// this life takes up its own match again, it need not be one.
  init(_ id: String, sessions: [String], claimedBy life: Life, with entries: [StreamEntry]) {
    self.id = id
    claim = entries.last.flatMap { $0.claim == nil ? nil : $0 }
    self.sessions = sessions
    self.life = life
    command = StreamEntry.command(for: id)
    self.entries = entries
    term = entries.last?.id.term ?? 1
    confirmed = entries.count
    reported = entries.count
  }

  var lastID: String? { entries.last?.id.text }

  /// Whether something has to be sent.
  var isBehind: Bool { confirmed < entries.count || !gathered.isEmpty }

  /// Whether the stream lacks entries that it had. Those that it never had were told to nobody.
  var hasLostEntries: Bool { confirmed < reported }

  /// Whether more has to be sent than the entry that is on its way.
  var hasMore: Bool { confirmed + 1 < entries.count || !gathered.isEmpty }

  /// Whether the next entry to send is the first one.
  var beginsNext: Bool {
    confirmed < entries.count ? entries[confirmed].previous == nil : entries.isEmpty
  }

  /// Whether the end of the match is in the stream.
  var isStored: Bool { isFinished && !isBehind }

  func append(_ kind: RecordKind, _ payload: Span<UInt8>) {
    // The entry keeps these bytes, so it takes no more of them than it needs.
    if gathered.isEmpty { gathered.reserveCapacity(payload.count + 3) }
    gathered.append(kind.rawValue)
    gathered.append(UInt8(ascii: " "))
    payload.withUnsafeBufferPointer { gathered.append(contentsOf: $0) }
    gathered.append(UInt8(ascii: "\n"))
  }

  /// No record follows.
  func finish() { isFinished = true }

  /// Adds the command that appends the next entry. There must be something to send, and no other
  /// entry of the match may be on its way: the engine would take the second even if it had refused
  /// the first.
  ///
  /// - Returns: which of the replies is that of the entry.
  func addNext(to commands: inout RedisCommands) -> Int {
    if confirmed == entries.count {
      let last = entries.last?.id
      let number = last.map { $0.term == term ? $0.number + 1 : 1 } ?? 1
      var entry = StreamEntry(EntryID(term: term, number: number), after: last)
      entry.records = gathered
      entry.isFinished = isFinished
      gathered = []
      entries.append(entry)
    }
    let next = entries[confirmed]
    if next.previous == nil {
      addBeginning(next, to: &commands)
    } else {
      next.append(after: command, in: &commands)
    }
    let reply = commands.count - 1
    if let claim, next.id == claim.id {
      commands.add(.restoreClaim, arguments: [id, next.id.text, next.claim ?? "", life.text])
    }
    return reply
  }

  private func addBeginning(_ entry: StreamEntry, to commands: inout RedisCommands) {
    commands.begin(words: 8 + sessions.count)
    commands.add(word: "EVAL")
    commands.add(word: RedisScript.beginMatch.text)
    commands.add(word: "0")
    for word in [id, life.text, entry.id.text] { commands.add(word: word) }
    commands.add(word: entry.records)
    commands.add(word: entry.isFinished ? "1" : "")
    for session in sessions { commands.add(word: session) }
  }

  /// Adds the commands whose replies `compare` needs.
  func addComparison(to commands: inout RedisCommands) {
    commands.add("XREVRANGE", RedisKey.stream(id), "+", "-", "COUNT", "1")
    commands.add("HMGET", "owners", id)
    guard let claim = claim?.id.text else { return }
    commands.add("XRANGE", RedisKey.stream(id), claim, claim)
  }

  /// The entry that was sent is in the stream. Returns its records; `nil` if it was there before.
  func confirm() -> [UInt8]? {
    confirmed += 1
    guard confirmed > reported else { return nil }
    reported = confirmed
    defer { trim() }
    return entries[confirmed - 1].records
  }

  private func trim() {
    let extra = entries.count - Self.keptEntries
    guard extra > Self.keptEntries else { return }
    entries.removeFirst(extra)
    confirmed -= extra
    reported -= extra
    isTrimmed = true
  }

  /// Compares the stream with what it should contain. An id alone shows nothing: after a failover
  /// another node may have claimed the match with the same one.
  ///
  /// - Returns: false if the match has another owner: somebody else has written to it, or a stream
  ///   that is gone is another life's, which writes it again. Also if it lacks entries that are not
  ///   kept any more.
  func compare(with replies: inout ArraySlice<RedisReply>) -> Bool {
    let top = Self.entry(in: replies.popFirst())
    let owner = replies.popFirst()?.elements?.first?.text ?? life.text
    let claimed = claim.map { _ in Self.entry(in: replies.popFirst()) }
    guard let top else {
      confirmed = 0
      return !isTrimmed && owner == life.text
    }
    if let found = claimed ?? nil, found.claim != claim?.claim { return false }
    guard let index = entries.lastIndex(where: { $0.id == top.id }) else { return false }
    confirmed = index + 1
    return true
  }

  private static func entry(in reply: RedisReply?) -> StreamEntry? {
    reply?.elements?.first.flatMap(StreamEntry.init)
  }
}
