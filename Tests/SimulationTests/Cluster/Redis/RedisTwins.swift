import Shared

@testable import Server

/// The scripts of the sources, once more in Swift. A test compares each with the one that the real
/// engine runs.
enum RedisTwins {
  typealias Twin =
    @Sendable (
      inout RedisScriptRun
    ) throws(RedisData.UnknownCommandError) -> RedisReply

  static let all: [(script: RedisScript, twin: Twin)] = [
    (.join, join), (.renew, renew), (.bury, bury), (.leave, leave), (.forgetLife, forgetLife),
    (.beginMatch, beginMatch), (.claim, claim), (.giveMatch, giveMatch),
    (.restoreClaim, restoreClaim),
    (.endMatch, endMatch), (.endLostMatch, endLostMatch), (.moveToLobby, moveToLobby),
    (.writeResult, writeResult), (.keepSession, keepSession),
    (.endSessionOfMatch, endSessionOfMatch), (.takeName, takeName),
    (.endSession, endSession), (.forgetSession, forgetSession),
    (.findSession, findSession), (.findName, findName), (.findMatch, findMatch),
    (.handOver, handOver), (.takeOver, takeOver), (.offer, offer), (.openCode, openCode),
    (.closeCode, closeCode), (.findCode, findCode), (.clock, clock),
  ]

  /// Returns the twin of a script with a text.
  static func twin(of text: String) throws(RedisData.UnknownCommandError) -> Twin {
    guard let twin = byText[text] else {
      throw RedisData.UnknownCommandError(text: "a script without a twin: \(text)")
    }
    return twin
  }

  private static let byText = Dictionary(
    uniqueKeysWithValues: all.map { ($0.script.text, $0.twin) })

  // MARK: Nodes

  private static func join(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    if let text = try run.call("HGET", "nodes", run[1]).text, let entry = NodeEntry(text),
      entry.address != run[2], entry.moment != run[5]
    {
      return RedisData.bulk(text)
    }
    var incarnation = try run.call("INCR", "incarnations").number ?? 0
    if let seen = Int(run[4]), incarnation <= seen {
      incarnation = seen + 1
      try run.call("SET", "incarnations", "\(incarnation)")
    }
    try run.call("HSET", "nodes", run[1], "\(incarnation) 0 \(run[3]) \(run[2])")
    try run.call("SADD", "lives", "\(run[1]) \(incarnation)")
    return .integer(incarnation)
  }

  private static func renew(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let entry = try run.call("HGET", "nodes", run[1]).text else { return .integer(0) }
    let (current, mine) = (Int(entry.prefix { $0 != " " }) ?? 0, Int(run[2]) ?? 0)
    guard current == mine else { return .integer(current > mine ? -1 : 0) }
    try run.call("HSET", "nodes", run[1], "\(run[2]) \(run[3]) \(run[4]) \(run[5])")
    return .array([try run.call("HGETALL", "nodes"), try run.call("SMEMBERS", "lives")])
  }

  private static func bury(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let entry = try run.call("HGET", "nodes", run[1]).text else { return .integer(0) }
    guard entry.hasPrefix("\(run[2]) \(run[3]) ") else { return .integer(0) }
    return try run.call("HDEL", "nodes", run[1])
  }

  private static func leave(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let entry = try run.call("HGET", "nodes", run[1]).text,
      entry.prefix(while: { $0 != " " }) == run[2]
    else { return .integer(0) }
    return try run.call("HDEL", "nodes", run[1])
  }

  private static func forgetLife(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    if try run.call("EXISTS", "o:\(run[1])") == .integer(0) {
      try run.call("SREM", "lives", run[1])
    }
    return .integer(1)
  }

  private static func clock(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    var shift = try run.call("GET", "clockShift").text ?? "0"
    if run[1] != "", shift == run[1] {
      shift = run[2]
      try run.call("SET", "clockShift", shift)
    }
    let time = try run.call("TIME").elements ?? []
    return .array(time + [RedisData.bulk(shift)])
  }

  // MARK: Matches

  private static func beginMatch(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let stream = "j:\(run[1])"
    let lives = try run.call("SMEMBERS", "lives").elements ?? []
    guard try run.call("EXISTS", stream) == .integer(0), lives.contains(RedisData.bulk(run[2]))
    else { return .integer(0) }
    guard try run.call("GET", "g:\(run[1])").text != RedisScript.archivedResult else {
      return .error("ENDED The match is in the archive.")
    }
    try run.call("HSET", "owners", run[1], run[2])
    try run.call("SADD", "o:\(run[2])", run[1])
    for session in run.arguments.dropFirst(5) {
      if let place = try run.call("GET", "s:\(session)").text, place.hasPrefix("m "),
        let owner = try run.call("HGET", "owners", String(place.dropFirst(2))).text,
        owner != run[2]
      {
        continue
      }
      try run.call("SET", "s:\(session)", "m \(run[1])")
    }
    guard run[5] == "1" else { return try run.call("XADD", stream, run[3], "d", run[4]) }
    return try run.call("XADD", stream, run[3], "d", run[4], "x", "1")
  }

  private static func claim(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let (match, stream) = (run[1], "j:\(run[1])")
    guard let owner = try run.call("HGET", "owners", match).text else { return .integer(0) }
    guard
      let top = try run.call("XREVRANGE", stream, "+", "-", "COUNT", "1").elements?.first?.elements,
      let id = top[0].text
    else {
      try run.call("HDEL", "owners", match)
      try run.call("SREM", "o:\(owner)", match)
      return .integer(0)
    }
    let fields = top[1].fields ?? [:]
    let claim = "\(run[3]) \(run[4])"
    if owner == run[3], fields["c"] == claim || fields["x"] != nil || run[2] == run[3] {
      return try run.call("XRANGE", stream, "-", "+")
    }
    guard owner == run[2], try run.address(of: owner) == nil else { return RedisData.bulk(owner) }
    if fields["x"] == nil {
      let term = (EntryID(id)?.term ?? 0) + 1
      try run.call("XADD", stream, "\(term)-0", "p", id, "c", claim)
    }
    try run.call("HSET", "owners", match, run[3])
    try run.call("SREM", "o:\(owner)", match)
    try run.call("SADD", "o:\(run[3])", match)
    return try run.call("XRANGE", stream, "-", "+")
  }

  private static func giveMatch(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let (match, stream) = (run[1], "j:\(run[1])")
    guard try run.call("HGET", "owners", match).text == run[2], try run.address(of: run[3]) != nil,
      let top = try run.call("XREVRANGE", stream, "+", "-", "COUNT", "1").elements?.first?.elements,
      let id = top[0].text, id == run[4], let last = EntryID(id)
    else { return .integer(0) }
    try run.call("XADD", stream, "\(last.term + 1)-0", "p", id, "c", "\(run[3]) \(run[5])")
    try run.call("HSET", "owners", match, run[3])
    try run.call("SREM", "o:\(run[2])", match)
    try run.call("SADD", "o:\(run[3])", match)
    let number = try run.call("INCR", "orders").number ?? 0
    try run.call("HSET", "orderTexts", "\(number)", run[6])
    try run.call("HDEL", "orderTexts", "\(number - 100)")
    return .integer(1)
  }

  private static func restoreClaim(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let entry = try run.call("XRANGE", "j:\(run[1])", run[2], run[2]).elements?.first?.elements
    let owner = try run.call("HGET", "owners", run[1]).text
    guard let entry, let owner, owner != run[4], entry[1].fields?["c"] == run[3] else {
      return .integer(0)
    }
    try run.call("HSET", "owners", run[1], run[4])
    try run.call("SREM", "o:\(owner)", run[1])
    try run.call("SADD", "o:\(run[4])", run[1])
    return .integer(1)
  }

  private static func endMatch(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard try run.call("HGET", "owners", run[1]).text == run[2] else { return .integer(0) }
    try run.call("HDEL", "owners", run[1])
    try run.call("SREM", "o:\(run[2])", run[1])
    // No follower runs in the simulation, so its last word is always too old.
    try run.call(
      "PEXPIRE", "j:\(run[1])", "\(RedisScript.finishedStreamTime.milliseconds)")
    return .integer(1)
  }

  private static func endLostMatch(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let (match, stream) = (run[1], "j:\(run[1])")
    guard try run.call("HGET", "owners", match).text == run[2] else { return .integer(0) }
    guard
      let top = try run.call("XREVRANGE", stream, "+", "-", "COUNT", "1").elements?.first?.elements,
      let id = top[0].text, let last = EntryID(id)
    else {
      try run.call("HDEL", "owners", match)
      try run.call("SREM", "o:\(run[2])", match)
      return .integer(0)
    }
    let fields = top[1].fields ?? [:]
    if run[3] != "", let claim = fields["c"], claim != run[3] { return .integer(2) }
    if fields["x"] == nil {
      let next = EntryID(term: last.term, number: last.number + 1)
      try run.call("XADD", stream, next.text, "p", id, "x", "1")
    }
    return try run.call("XRANGE", stream, "-", "+")
  }

  private static func moveToLobby(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard try run.call("HGET", "owners", run[1]).text == run[2] else { return .integer(0) }
    for session in run.arguments.dropFirst(2)
    where try run.call("GET", "s:\(session)").text == "m \(run[1])" {
      try run.call("SET", "s:\(session)", "n \(run[2])")
    }
    return .integer(1)
  }

  private static func findMatch(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let owner = try run.call("HGET", "owners", run[1]).text else { return .array([]) }
    return .array([RedisData.bulk(owner), try run.addressReply(of: owner)])
  }

  /// Nobody is registered, so no result is rated. The keys are the first five arguments.
  private static func writeResult(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let written = try run.call("GET", run[1]).number ?? 0
    guard let seq = Int(run[6]), written < seq else { return .integer(written) }
    let result = "\(try run.call("INCR", run[2]).number ?? 0)\n\(run[7])"
    for number in 3...5 {
      let count = try run.call("LPUSH", run[number], result).number ?? 0
      let limit = Int(run[number == 3 ? 9 : 8]) ?? 0
      if count > limit + limit / 16 { try run.call("LTRIM", run[number], "0", "\(limit - 1)") }
      if number > 3 { try run.call("EXPIRE", run[number], "\(90 * 86_400)") }
    }
    try run.call("SET", run[1], run[6])
    return .status("OK")
  }

  // MARK: Requests

  private static func offer(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let (key, mine) = ("w:\(run[1])", "\(run[2]) \(run[3])")
    if try run.call("EXISTS", "v:\(run[2])") == .integer(1) { return .integer(1) }
    for member in try run.call("ZRANGE", key, "0", "63").elements?.compactMap(\.text) ?? [] {
      let session = String(member.prefix { $0 != " " })
      let life = String(member.dropFirst(session.count + 1))
      guard life != run[3] else { continue }
      guard let place = try run.address(of: life) else {
        try run.call("ZREM", key, member)
        continue
      }
      guard try run.call("SET", "v:\(session)", run[2], "NX", "PX", run[4]) != .null else {
        continue
      }
      try run.call("ZREM", key, mine)
      return .array([RedisData.bulk(life), RedisData.bulk(place)])
    }
    if try run.call("ZSCORE", key, mine) == .null {
      let number = try run.call("INCR", "requests").number ?? 0
      try run.call("ZADD", key, "\(number)", mine)
    }
    return .integer(1)
  }

  private static func openCode(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let key = "c:\(run[1])"
    if let life = try run.call("GET", key).text, life != run[2], try run.address(of: life) != nil {
      return .integer(0)
    }
    try run.call("SET", key, run[2], "EX", "3600")
    return .integer(1)
  }

  private static func closeCode(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let key = "c:\(run[1])"
    if try run.call("GET", key).text == run[2] { try run.call("DEL", key) }
    return .integer(1)
  }

  private static func findCode(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let life = try run.call("GET", "c:\(run[1])").text else { return .array([]) }
    return .array([RedisData.bulk(life), try run.addressReply(of: life)])
  }
}

/// A script that an engine carries out as one step.
struct RedisScriptRun {
  private(set) var data: RedisData
  let arguments: [String]
  private let now: Duration
  /// The writes that the replicas have to carry out too.
  private(set) var writes: [[String]] = []

  init(_ data: RedisData, _ arguments: [String], at now: Duration) {
    self.data = data
    self.arguments = arguments
    self.now = now
  }

  /// The arguments, counted from 1 as in Lua.
  subscript(number: Int) -> String { arguments[number - 1] }

  @discardableResult
  mutating func call(_ words: String...) throws(RedisData.UnknownCommandError) -> RedisReply {
    if RedisData.isWrite(words[0]) { writes.append(words) }
    return try data.call(words, at: now)
  }

  /// The address of a life that goes on.
  mutating func address(of life: String) throws(RedisData.UnknownCommandError) -> String? {
    guard let life = Life(life),
      let entry = try call("HGET", "nodes", life.node).text.flatMap(NodeEntry.init),
      entry.incarnation == life.incarnation
    else { return nil }
    return entry.address
  }

  mutating func addressReply(
    of life: String
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    try address(of: life).map(RedisData.bulk) ?? .null
  }
}
