/// Checks that an engine is set up so that what it has confirmed is not lost.
enum EngineCheck {
  /// The oldest version that has all the commands.
  static let minVersion = 7
  /// A replica that was away for a while gets what it has missed out of the backlog, in bytes. With
  /// less it copies the whole engine, and confirms nothing meanwhile.
  static let minBacklog = 268_435_456
  /// How far a replica may be behind before the engine leaves it, in bytes.
  static let minReplicaBuffer = 1_073_741_824

  private static let settings = [
    "maxmemory-policy", "appendonly", "repl-backlog-size", "client-output-buffer-limit",
    "min-replicas-to-write",
  ]

  /// What the check has found.
  enum Finding: Equatable {
    case good
    /// A sentence for people that says what is wrong and what to do.
    case wrong(String)
    /// The engine does not show its settings, as some that are managed by others do not.
    case unknown
    /// The connection has ended. Try again.
    case noAnswer
  }

  /// Asks an engine. `replicas` have to confirm what is written; with 0, what only matters to
  /// replicas is not checked.
  static func run(on engine: any Engine, replicas: Int, answer: @escaping (Finding) -> Void) {
    var commands = EngineCommands()
    commands.add("INFO", "server")
    commands.add("INFO", "replication")
    commands.add(["CONFIG", "GET"] + settings)
    engine.send(commands, durably: false) { replies in
      guard let replies, replies.count == 3 else { return answer(.noAnswer) }
      answer(finding(in: replies, replicas: replicas))
    }
  }

  private static func finding(in replies: [EngineReply], replicas: Int) -> Finding {
    let version = field("redis_version", of: replies[0])
    guard let major = version?.split(separator: ".").first.flatMap({ Int($0) }) else {
      return .unknown
    }
    guard major >= minVersion else {
      return .wrong("The engine is version \(version ?? ""). Install Redis 7, Valkey, or later.")
    }
    let connected = field("connected_slaves", of: replies[1]).flatMap { Int($0) } ?? 0
    guard connected >= replicas else {
      return .wrong(
        "Each entry has to be confirmed by \(Count.of(replicas, "replica")), but the engine has"
          + " only \(connected). Start more, or ask for fewer.")
    }
    guard let words = replies[2].elements?.map({ $0.text ?? "" }), words.count % 2 == 0 else {
      return .unknown
    }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: words.count, by: 2) { values[words[index]] = words[index + 1] }
    return problem(in: values, replicas: replicas).map { .wrong($0) } ?? .good
  }

  private static func problem(in values: [String: String], replicas: Int) -> String? {
    func advice(_ setting: String, _ value: String) -> String {
      "The engine has \(setting) \(values[setting] ?? "unknown"). Set it to \(value)."
    }
    if values["maxmemory-policy"] != "noeviction" {
      return advice("maxmemory-policy", "noeviction")
    }
    if values["appendonly"] != "yes" { return advice("appendonly", "yes") }
    guard replicas > 0 else { return nil }
    if Int(values["min-replicas-to-write"] ?? "") ?? 0 < 1 {
      return advice("min-replicas-to-write", "1")
    }
    if Int(values["repl-backlog-size"] ?? "") ?? 0 < minBacklog {
      return advice("repl-backlog-size", "256mb or more")
    }
    let hard = hardLimit(ofReplicasIn: values["client-output-buffer-limit"] ?? "")
    if hard != 0, hard < minReplicaBuffer {
      return advice("client-output-buffer-limit", "replica 1gb 1gb 0 or more")
    }
    return nil
  }

  /// Returns the hard limit for replicas in words such as `normal 0 0 0 slave 268435456 67108864
  /// 60`; 0 means no limit.
  private static func hardLimit(ofReplicasIn text: String) -> Int {
    let words = text.split(separator: " ")
    guard let index = words.firstIndex(where: { $0 == "slave" || $0 == "replica" }),
      index + 1 < words.count
    else { return 1 }
    return Int(words[index + 1]) ?? 1
  }

  /// Returns a field of a reply to `INFO`.
  private static func field(_ name: String, of reply: EngineReply) -> String? {
    reply.text?.split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("\(name):") }
      .map { String($0.dropFirst(name.count + 1)) }
  }
}
