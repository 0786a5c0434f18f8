import TestSupport
import Testing

@testable import Server
@testable import Shared

/// Runs each script in a real engine, and its twin in the simulated one, over the same random data.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct RedisTwinTests {
  private static let rounds = 60
  private let random = SeededRandom(seed: 1)

  @Test func `each script does what its twin does`() throws {
    let loop = try EventLoop()
    let redis = try RedisServer()
    let link = RedisLink(
      try RedisAddress("redis://127.0.0.1:\(redis.port)"), replicas: 0, loop: loop,
      random: RandomSource())
    link.start()
    for (script, twin) in RedisTwins.all {
      for _ in 0..<Self.rounds {
        let (state, arguments) = (randomState(), arguments(of: script.name))
        var data = RedisData()
        for command in state { _ = try data.call(command, at: .zero) }
        var run = RedisScriptRun(data, arguments, at: .zero)
        let expected = try twin(&run)
        var commands = RedisCommands()
        commands.add("FLUSHALL")
        for command in state { commands.add(command) }
        // The others name their keys themselves.
        let keys = script == .writeResult ? 5 : 0
        commands.add(
          script, keys: Array(arguments.prefix(keys)), arguments: Array(arguments.dropFirst(keys)))
        commands.add("DBSIZE")
        let dump = Self.dump(of: run.data)
        for (command, _) in dump { commands.add(command) }
        let replies = try self.replies(to: commands, of: link, on: loop)
        let found = replies[state.count + 1]
        let what = "\(script.name) \(arguments) after \(state)"
        // Each has a time of its own.
        let isSame =
          script == .clock
          ? found.elements?.last == expected.elements?.last
          : Self.sorted(found) == Self.sorted(expected)
        #expect(isSame, "\(what)")
        #expect(replies[state.count + 2] == .integer(run.data.values.count), "\(what)")
        for ((command, value), reply) in zip(dump, replies.dropFirst(state.count + 3)) {
          #expect(Self.sorted(reply) == Self.sorted(value), "\(command) after \(what)")
        }
      }
    }
  }

  /// If this machine is so busy that the engine is silent for half a second, it tries again.
  private func replies(
    to commands: RedisCommands, of link: RedisLink, on loop: EventLoop
  ) throws -> [RedisReply] {
    let end = loop.preciseNow + .seconds(60)
    while loop.preciseNow < end {
      guard link.isConnected else {
        try loop.turn(wait: .milliseconds(20))
        continue
      }
      var answer: [RedisReply]??
      link.send(commands, confirmed: .never) { answer = .some($0) }
      while answer == nil { try loop.turn(wait: .milliseconds(20)) }
      if case .some(.some(let replies)) = answer { return replies }
    }
    try #require(Bool(false), "the engine does not answer")
    return []
  }

  /// What to ask for all that is there, and the replies.
  private static func dump(of data: RedisData) -> [(command: [String], reply: RedisReply)] {
    var copy = data
    return data.values.sorted { $0.key < $1.key }.flatMap { key, value in
      let command =
        switch value {
        case .string: ["GET", key]
        case .hash: ["HGETALL", key]
        case .set: ["SMEMBERS", key]
        case .sortedSet: ["ZRANGE", key, "0", "63"]
        case .list: ["LRANGE", key, "0", "-1"]
        case .stream: ["XRANGE", key, "-", "+"]
        }
      let reply = (try? copy.call(command, at: .zero)) ?? .null
      // Whether it expires; the real one also says when.
      let expires = ["EVAL", "return redis.call('PTTL', '\(key)') < 0 and 0 or 1", "0"]
      return [(command, reply), (expires, .integer(data.expiries[key] == nil ? 0 : 1))]
    }
  }

  /// The order of sets and hashes does not matter.
  private static func sorted(_ reply: RedisReply) -> String {
    guard let elements = reply.elements else { return "\(reply)" }
    return "[\(elements.map(sorted).sorted())]"
  }

  // MARK: Random data

  private var node: String { random.pick(["north", "south"]) ?? "" }
  private var incarnation: Int { random.int(1...2) }
  private var life: String { "\(node) \(incarnation)" }
  private var match: String { "m\(random.int(1...2))" }
  private var session: String { "s\(random.int(1...2))" }
  private var key: String { "k\(random.int(1...2))" }
  private var code: String { "code\(random.int(1...2))" }
  private var claim: String { "\(life) nonce\(random.int(1...2))" }

  private func randomState() -> [[String]] {
    var commands: [[String]] = []
    func add(_ percent: Int, _ words: String...) {
      if random.happens(percent: percent) { commands.append(words) }
    }
    for node in ["north", "south"] {
      let entry = "\(incarnation) \(random.int(0...2)) 5 \(node).example:1"
      add(80, "HSET", "nodes", node, entry)
    }
    add(80, "SET", "incarnations", "2")
    for _ in 0..<3 { add(80, "SADD", "lives", life) }
    for match in ["m1", "m2"] {
      let owner = life
      add(80, "HSET", "owners", match, owner)
      add(80, "SADD", "o:\(owner)", match)
      guard random.happens(percent: 80) else { continue }
      commands.append(["XADD", "j:\(match)", "1-1", "d", "b {}\n"])
      add(50, "XADD", "j:\(match)", "NOMKSTREAM", "1-2", "p", "1-1", "d", "e {}\n")
      add(50, "XADD", "j:\(match)", "NOMKSTREAM", "2-0", "p", "1-1", "c", claim)
      add(30, "XADD", "j:\(match)", "NOMKSTREAM", "2-1", "p", "2-0", "d", "e {}\n", "x", "1")
    }
    for session in ["s1", "s2"] {
      let place = random.pick(["n \(life)", "m \(match)", "x \(node)"]) ?? ""
      add(80, "SET", "s:\(session)", place)
      add(50, "SET", "x:\(session)", "{}")
      add(30, "SET", "v:\(session)", "s3")
      add(50, "SET", "m:\(session)", "\(random.int(1...2))")
      add(70, "ZADD", "w:g", "\(random.int(1...9))", "\(session) \(life)")
    }
    for key in ["k1", "k2"] { add(80, "SET", "n:\(key)", session) }
    add(50, "SET", "g:\(match)", "\(random.int(1...9))")
    add(20, "SET", "g:\(match)", RedisScript.archivedResult)
    add(50, "SET", "list:/follower", "1 f")
    for number in 1...3 { add(70, "LPUSH", "h:k\(random.int(1...2))", "game \(number)") }
    add(50, "SET", "clockShift", "\(random.int(-1...1))")
    for code in ["code1", "code2"] { add(60, "SET", "c:\(code)", life) }
    return commands
  }

  private func arguments(of script: String) -> [String] {
    switch script {
    case "join":
      [
        node, random.pick(["here:1", "north.example:1"]) ?? "", "3", "\(random.int(0...5))",
        "\(incarnation) \(random.int(0...2))",
      ]
    case "renew": [node, "\(incarnation)", "7", "3", "here:1"]
    case "bury": [node, "\(incarnation)", "\(random.int(0...2))"]
    case "leave": [node, "\(incarnation)"]
    case "forgetLife": [life]
    case "beginMatch":
      [match, life, "1-1", "b {}\n", random.happens(percent: 50) ? "1" : "", "s1", "s2"]
    case "claim": [match, life, life, "nonce1"]
    case "giveMatch":
      [match, life, life, random.pick(["1-1", "1-2", "2-0"]) ?? "", "nonce1", "{}"]
    case "restoreClaim": [match, "2-0", claim, life]
    case "endMatch": [match, life, "3600000"]
    case "endLostMatch": [match, life, random.happens(percent: 50) ? "" : claim]
    case "moveToLobby": [match, life, "s1", "s2"]
    case "endSessionOfMatch": [key, session, match]
    case "keepSession": [key, session, life]
    case "writeResult":
      ["g:\(match)", "games", "h:", "h:k1", "h:k2", "\(random.int(1...9))", "result", "2", "3"]
    case "takeName": [key, session, life]
    case "forgetSession", "takeOver": [session, life]
    case "endSession": [key, session]
    case "findSession": [session]
    case "findName": [key]
    case "findMatch": [match]
    case "handOver":
      [session, life, node, "{}", "10000", "2", "10000"]
        + (random.happens(percent: 50) ? [key, life] : ["", ""])
    case "offer": ["g", session, life, "10000"]
    case "clock": random.happens(percent: 30) ? ["", ""] : ["\(random.int(-1...1))", "7"]
    case "openCode", "closeCode": [code, life]
    default: [code]
    }
  }
}
