/// Commands for the engine, encoded one behind the other as arrays of bulk strings (RESP2).
struct RedisCommands {
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

  /// Appends other commands.
  mutating func add(_ other: RedisCommands) {
    bytes += other.bytes
    count += other.count
  }

  /// Begins a command of a number of words, which follow with `add(word:)`.
  mutating func begin(words: Int) {
    count += 1
    put("*", words)
  }

  mutating func add(word: String) {
    put("$", word.utf8.count)
    bytes.append(contentsOf: word.utf8)
    putLineEnd()
  }

  mutating func add(word: [UInt8]) {
    put("$", word.count)
    bytes.append(contentsOf: word)
    putLineEnd()
  }

  private mutating func put(_ type: Unicode.Scalar, _ number: Int) {
    bytes.append(UInt8(ascii: type))
    bytes.append(contentsOf: String(number).utf8)
    putLineEnd()
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
  /// Lua 5.1, as Redis 7 and Valkey run it.
  let text: String
}
