import Shared
@testable import Server

/// The twins of the scripts about names and sessions.
extension RedisTwins {
  static func takeName(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let session = try run.call("GET", "n:\(run[1])").text
    if let session, session != run[2], try isTaken(session, &run) { return .integer(0) }
    try run.call("SET", "n:\(run[1])", run[2])
    try run.call("SET", "s:\(run[2])", "n \(run[3])", "NX")
    return .integer(1)
  }

  static func forgetSession(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let key = "s:\(run[1])"
    if try run.call("GET", key).text == "n \(run[2])" { try run.call("DEL", key) }
    return .integer(1)
  }

  private static func isTaken(
    _ session: String, _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> Bool {
    guard let place = try run.call("GET", "s:\(session)").text else { return false }
    let rest = String(place.dropFirst(2))
    return switch place.prefix(1) {
    case "n": try run.address(of: rest) != nil
    case "m": try run.call("HEXISTS", "owners", rest) == .integer(1)
    default: try run.call("EXISTS", "x:\(session)") == .integer(1)
    }
  }

  static func endSession(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    if try run.call("GET", "n:\(run[1])").text == run[2] { try run.call("DEL", "n:\(run[1])") }
    try run.call("DEL", "s:\(run[2])", "x:\(run[2])")
    return .integer(1)
  }

  static func keepSession(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    try run.call("SET", "n:\(run[1])", run[2], "NX")
    let place = try run.call("GET", "s:\(run[2])").text
    var isKept = place != nil
    if let place, place.hasPrefix("m ") {
      isKept = try run.call("HGET", "owners", String(place.dropFirst(2))).text == run[3]
    }
    if !isKept { try run.call("SET", "s:\(run[2])", "n \(run[3])") }
    return .integer(1)
  }

  static func endSessionOfMatch(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard try run.call("GET", "s:\(run[2])").text == "m \(run[3])" else { return .integer(0) }
    if try run.call("GET", "n:\(run[1])").text == run[2] { try run.call("DEL", "n:\(run[1])") }
    try run.call("DEL", "s:\(run[2])")
    return .integer(1)
  }

  static func findSession(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    try place(of: run[1], &run)
  }

  static func findName(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let session = try run.call("GET", "n:\(run[1])").text else { return .array([]) }
    return try place(of: session, &run)
  }

  static func place(
    of session: String, _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    guard let place = try run.call("GET", "s:\(session)").text else { return .array([]) }
    let (kind, rest) = (String(place.prefix(1)), String(place.dropFirst(2)))
    let first = [RedisData.bulk(kind), RedisData.bulk(rest)]
    switch kind {
    case "n": return .array(first + [try run.addressReply(of: rest)])
    case "m":
      guard let owner = try run.call("HGET", "owners", rest).text else { return .array([]) }
      return .array(first + [RedisData.bulk(owner), try run.addressReply(of: owner)])
    default:
      let entry = try run.call("HGET", "nodes", rest).text.flatMap(NodeEntry.init)
      let address = entry.map { RedisData.bulk($0.address) } ?? .null
      return .array(first + [address, try run.call("GET", "x:\(session)")])
    }
  }

  static func handOver(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    let key = "s:\(run[1])"
    let place = try run.call("GET", key).text ?? ""
    if place != "n \(run[2])" {
      guard place.hasPrefix("m ") else { return .integer(0) }
      let owner = try run.call("HGET", "owners", String(place.dropFirst(2))).text
      guard owner ?? run[2] == run[2] else { return .integer(0) }
    }
    if run[8] != "" {
      let other = try run.call("GET", "n:\(run[8])").text
      guard let other, try run.call("GET", "s:\(other)").text == "n \(run[9])" else {
        return .integer(2)
      }
    }
    let moves = try run.call("GET", "m:\(run[1])").text.flatMap { Int($0) } ?? 0
    if let limit = Int(run[6]), moves >= limit { return .integer(3) }
    if try run.call("INCR", "m:\(run[1])") == .integer(1) {
      try run.call("PEXPIRE", "m:\(run[1])", run[7])
    }
    try run.call("SET", key, "x \(run[3])")
    try run.call("SET", "x:\(run[1])", run[4], "PX", run[5])
    return .integer(1)
  }

  static func takeOver(
    _ run: inout RedisScriptRun
  ) throws(RedisData.UnknownCommandError) -> RedisReply {
    if try run.call("DEL", "x:\(run[1])") == .integer(0) { return .integer(0) }
    try run.call("SET", "s:\(run[1])", "n \(run[2])")
    return .integer(1)
  }
}
