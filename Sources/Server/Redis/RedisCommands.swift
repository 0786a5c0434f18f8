/// Commands for the engine, encoded one behind the other as arrays of bulk strings (RESP2).
struct RedisCommands {
  /// The maximum memory that is kept for other commands, in bytes.
  private static let maxKept = 1_048_576

  private(set) var bytes: [UInt8] = []
  /// The number of commands, and so of replies.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Appends a command and its arguments.
  mutating func add(_ words: String...) { add(words) }

  mutating func add(_ words: [String]) {
    begin(words: words.count)
    for word in words { add(word: word) }
  }

  /// Appends a call of a script. A script may use further keys, because the engine is one primary:
  /// no key has to be found on another machine.
  mutating func add(_ script: RedisScript, keys: [String] = [], arguments: [String]) {
    begin(words: 3 + keys.count + arguments.count)
    add(word: "EVAL")
    add(word: script.text)
    add(word: String(keys.count))
    for key in keys { add(word: key) }
    for argument in arguments { add(word: argument) }
  }

  mutating func add(_ other: RedisCommands) {
    bytes += other.bytes
    count += other.count
  }

  /// Forgets all commands, and keeps the memory for others unless it is a lot.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.maxKept)
    count = 0
  }

  /// Begins a command of a number of words, which follow with `add(word:)`.
  mutating func begin(words: Int) {
    count += 1
    put("*", words)
  }

  mutating func add(word: String) {
    put("$", word.utf8.count)
    var word = word
    word.withUTF8 { bytes.append(contentsOf: $0) }
    putLineEnd()
  }

  mutating func add(word: EntryID) {
    put("$", Self.digits(of: word.term) + 1 + Self.digits(of: word.number))
    put(word.term)
    bytes.append(UInt8(ascii: "-"))
    put(word.number)
    putLineEnd()
  }

  mutating func add(word: [UInt8]) {
    put("$", word.count)
    bytes.append(contentsOf: word)
    putLineEnd()
  }

  /// Appends words that are encoded already.
  mutating func add(encoded words: [UInt8]) { bytes.append(contentsOf: words) }

  mutating func add(encoded words: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount))
  }

  private mutating func put(_ type: Unicode.Scalar, _ number: Int) {
    bytes.append(UInt8(ascii: type))
    put(number)
    putLineEnd()
  }

  /// Appends a number that is not negative. Without a string, which costs ten times as much.
  private mutating func put(_ number: Int) {
    if number > 9 { put(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  private static func digits(of number: Int) -> Int {
    number > 9 ? 1 + digits(of: number / 10) : 1
  }

  private mutating func putLineEnd() {
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// A script that the engine runs as one step: nothing else happens meanwhile, and all of what it
/// writes is there or nothing.
struct RedisScript: Equatable, Hashable {
  /// What it is called in metrics and messages.
  let name: String
  /// Lua 5.1, as Redis 7 and Valkey run it. Without indentation and lines of comments, because it
  /// goes out with each call, and the engine hashes it to know it again.
  let text: String

  init(name: String, text: String) {
    self.name = name
    self.text = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { !$0.hasPrefix("--") }.joined(separator: "\n")
  }
}
