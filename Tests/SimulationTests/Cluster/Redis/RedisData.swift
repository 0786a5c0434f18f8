import Shared

@testable import Server

/// What an engine keeps, and the commands that the sources send: the part of Redis that is used.
/// The collections are sorted, so that one seed always gives the same answers.
struct RedisData: Equatable {
  enum Value: Equatable {
    case string(String)
    case hash([String: String])
    case set(Set<String>)
    case sortedSet([String: Int])
    case list([String])
    case stream([Entry])
  }

  struct Entry: Equatable {
    let id: EntryID
    let words: [String]
  }

  /// A command or a script that the simulated engine does not have: the test fails.
  struct UnknownCommandError: Error {
    let text: String
  }

  private(set) var values: [String: Value] = [:]
  private(set) var expiries: [String: Duration] = [:]

  /// Whether a command changes anything, as its name says.
  static func isWrite(_ command: String) -> Bool {
    [
      "XADD", "HSET", "HDEL", "SADD", "SREM", "SET", "DEL", "EXPIRE", "PEXPIRE", "INCR", "ZADD",
      "ZREM",
      "LPUSH",
      "LTRIM",
    ].contains(command)
  }

  /// Carries out a command at a time of the engine's own clock.
  mutating func call(
    _ words: [String], at now: Duration
  ) throws(UnknownCommandError) -> RedisReply {
    for key in Self.keys(of: words) { expire(key, at: now) }
    switch (words[0], words.count) {
    case ("GET", 2), ("SET", 3...), ("INCR", 2): return try callString(words, now)
    case ("HGET", 3), ("HSET", 4...), ("HDEL", 3), ("HEXISTS", 3), ("HGETALL", 2),
      ("HMGET", 3...):
      return callHash(words)
    case ("SADD", 3), ("SREM", 3), ("SMEMBERS", 2), ("SRANDMEMBER", 3): return callSet(words)
    case ("ZADD", 4), ("ZREM", 3), ("ZSCORE", 3), ("ZRANGE", 4): return callSortedSet(words)
    case ("XADD", 5...), ("XRANGE", 4), ("XREVRANGE", 6): return try callStream(words)
    case ("LPUSH", 3), ("LTRIM", 4), ("LRANGE", 4): return callList(words)
    case ("PING", 1): return .status("PONG")
    case ("TIME", 1):
      let (seconds, rest) = now.components
      return .array([Self.bulk("\(seconds)"), Self.bulk("\(rest / 1_000_000_000_000)")])
    case ("INFO", 2...): return Self.bulk("used_memory:1\r\nmaxmemory:0\r\n")
    case ("MGET", 2...):
      return .array(
        words.dropFirst().map { key in
          if case .string(let text) = values[key] { Self.bulk(text) } else { .null }
        })
    case ("EXISTS", 2): return .integer(values[words[1]] == nil ? 0 : 1)
    case ("DEL", 2...):
      var count = 0
      for key in words.dropFirst() where values[key] != nil {
        remove(key)
        count += 1
      }
      return .integer(count)
    case ("EXPIRE", 3), ("PEXPIRE", 3):
      guard values[words[1]] != nil, let time = Int(words[2]) else { return .integer(0) }
      expiries[words[1]] = now + (words[0] == "EXPIRE" ? .seconds(time) : .milliseconds(time))
      return .integer(1)
    default: throw UnknownCommandError(text: words.joined(separator: " "))
    }
  }

  private static func keys(of words: [String]) -> ArraySlice<String> {
    words[0] == "DEL" ? words[1...] : words[1...].prefix(1)
  }

  private mutating func expire(_ key: String, at now: Duration) {
    if let expiry = expiries[key], expiry <= now { remove(key) }
  }

  private mutating func remove(_ key: String) {
    values[key] = nil
    expiries[key] = nil
  }

  /// Removes all keys whose time is over, for a comparison.
  mutating func removeExpired(at now: Duration) {
    for (key, expiry) in expiries where expiry <= now { remove(key) }
  }

  private mutating func put(_ key: String, _ value: Value, isEmpty: Bool) {
    if isEmpty { remove(key) } else { values[key] = value }
  }

  // MARK: Strings

  private mutating func callString(
    _ words: [String], _ now: Duration
  ) throws(UnknownCommandError) -> RedisReply {
    let key = words[1]
    var current: String?
    if case .string(let text) = values[key] { current = text }
    switch words[0] {
    case "GET": return current.map(Self.bulk) ?? .null
    case "INCR":
      let number = (current.flatMap { Int($0) } ?? 0) + 1
      values[key] = .string("\(number)")
      return .integer(number)
    default:
      var expiry: Duration?
      var index = 3
      while index < words.count {
        switch words[index] {
        case "NX": if values[key] != nil { return .null }
        case "PX", "EX":
          guard index + 1 < words.count, let count = Int(words[index + 1]) else {
            throw UnknownCommandError(text: words.joined(separator: " "))
          }
          expiry = now + (words[index] == "PX" ? .milliseconds(count) : .seconds(count))
          index += 1
        default: throw UnknownCommandError(text: words.joined(separator: " "))
        }
        index += 1
      }
      values[key] = .string(words[2])
      expiries[key] = expiry
      return .status("OK")
    }
  }

  // MARK: Hashes

  private mutating func callHash(_ words: [String]) -> RedisReply {
    var fields: [String: String] = [:]
    if case .hash(let current) = values[words[1]] { fields = current }
    switch words[0] {
    case "HGET": return fields[words[2]].map(Self.bulk) ?? .null
    case "HMGET":
      return .array(words.dropFirst(2).map { fields[$0].map(Self.bulk) ?? .null })
    case "HEXISTS": return .integer(fields[words[2]] == nil ? 0 : 1)
    case "HGETALL":
      return .array(
        fields.sorted { $0.key < $1.key }.flatMap { [Self.bulk($0.key), Self.bulk($0.value)] })
    case "HDEL":
      let removed = fields.removeValue(forKey: words[2])
      put(words[1], .hash(fields), isEmpty: fields.isEmpty)
      return .integer(removed == nil ? 0 : 1)
    default:
      var added = 0
      for index in stride(from: 2, to: words.count - 1, by: 2)
      where fields.updateValue(words[index + 1], forKey: words[index]) == nil { added += 1 }
      values[words[1]] = .hash(fields)
      return .integer(added)
    }
  }

  // MARK: Lists

  private mutating func callList(_ words: [String]) -> RedisReply {
    var elements: [String] = []
    if case .list(let current) = values[words[1]] { elements = current }
    if words[0] == "LRANGE" {
      return .array(elements.map(Self.bulk))
    } else if words[0] == "LPUSH" {
      elements.insert(words[2], at: 0)
    } else {
      elements = Array(elements.prefix((Int(words[3]) ?? -1) + 1))
    }
    put(words[1], .list(elements), isEmpty: elements.isEmpty)
    return words[0] == "LPUSH" ? .integer(elements.count) : .status("OK")
  }

  // MARK: Sets

  private mutating func callSet(_ words: [String]) -> RedisReply {
    var members: Set<String> = []
    if case .set(let current) = values[words[1]] { members = current }
    switch words[0] {
    case "SADD":
      let isNew = members.insert(words[2]).inserted
      values[words[1]] = .set(members)
      return .integer(isNew ? 1 : 0)
    case "SREM":
      let removed = members.remove(words[2])
      put(words[1], .set(members), isEmpty: members.isEmpty)
      return .integer(removed == nil ? 0 : 1)
    case "SRANDMEMBER":
      return .array(members.sorted().prefix(Int(words[2]) ?? 0).map(Self.bulk))
    default: return .array(members.sorted().map(Self.bulk))
    }
  }

  // MARK: Sorted sets

  private mutating func callSortedSet(_ words: [String]) -> RedisReply {
    var scores: [String: Int] = [:]
    if case .sortedSet(let current) = values[words[1]] { scores = current }
    switch words[0] {
    case "ZADD":
      let old = scores.updateValue(Int(words[2]) ?? 0, forKey: words[3])
      values[words[1]] = .sortedSet(scores)
      return .integer(old == nil ? 1 : 0)
    case "ZREM":
      let old = scores.removeValue(forKey: words[2])
      put(words[1], .sortedSet(scores), isEmpty: scores.isEmpty)
      return .integer(old == nil ? 0 : 1)
    case "ZSCORE": return scores[words[2]].map { Self.bulk("\($0)") } ?? .null
    default:
      let members = scores.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
      guard let first = Int(words[2]), let last = Int(words[3]), first < members.count else {
        return .array([])
      }
      return .array(members[first...min(last, members.count - 1)].map(Self.bulk))
    }
  }

  // MARK: Streams

  /// The entries of a stream, the first one first.
  func stream(_ key: String) -> [Entry]? {
    guard case .stream(let entries) = values[key] else { return nil }
    return entries
  }

  private mutating func callStream(_ words: [String]) throws(UnknownCommandError) -> RedisReply {
    let key = words[1]
    let entries = stream(key) ?? []
    switch words[0] {
    case "XRANGE":
      let range = (EntryID(words[2]), EntryID(words[3]))
      return .array(
        entries.filter { entry in
          range.0.map { entry.id >= $0 } != false && range.1.map { entry.id <= $0 } != false
        }.map(Self.reply))
    case "XREVRANGE": return .array(entries.suffix(Int(words[5]) ?? 0).reversed().map(Self.reply))
    default:
      let isLater = words[2] == "NOMKSTREAM"
      if isLater, values[key] == nil { return .null }
      guard let id = EntryID(words[isLater ? 3 : 2]) else {
        throw UnknownCommandError(text: words.joined(separator: " "))
      }
      if let last = entries.last, id <= last.id {
        return .error(
          "ERR The ID specified in XADD is equal or smaller than the target stream top item")
      }
      let entry = Entry(id: id, words: Array(words[(isLater ? 4 : 3)...]))
      values[key] = .stream(entries + [entry])
      return Self.bulk(id.text)
    }
  }

  private static func reply(_ entry: Entry) -> RedisReply {
    .array([bulk(entry.id.text), .array(entry.words.map(bulk))])
  }

  static func bulk(_ text: String) -> RedisReply { .bulk(Array(text.utf8)) }
}

extension RedisData.Entry {
  /// The value of a field; `nil` if the entry has none.
  func field(_ name: String) -> String? {
    guard let index = words.firstIndex(of: name), index % 2 == 0 else { return nil }
    return words[index + 1]
  }

  /// The records that the entry contains, without LF.
  var records: [String] { (field("d") ?? "").split(separator: "\n").map(String.init) }

  /// The lines of the match that the entry contains, without LF.
  var lines: [String] { records.filter { $0.hasPrefix("e ") }.map { String($0.dropFirst(2)) } }
}
