import Shared

/// Checks that an engine is set up so that what it has confirmed is not lost.
enum EngineCheck {
  /// The oldest version that has all the commands.
  static let minVersion = 7
  /// A replica that was away for a while gets what it has missed out of the backlog, in bytes. With
  /// less it copies the whole engine, and confirms nothing meanwhile.
  static let minBacklog = 268_435_456
  /// How far a replica may be behind before the engine leaves it, in bytes.
  static let minReplicaBuffer = 1_073_741_824
  /// How long the primary may be silent before the Sentinels replace it. By then no node believes
  /// it any more, which takes `EngineConnection.maxSilence`.
  static let minDownAfter: Duration = .milliseconds(1_500)

  private static let settings = [
    "maxmemory-policy", "appendonly", "repl-backlog-size", "client-output-buffer-limit",
    "min-replicas-to-write",
  ]

  /// What the check has found.
  enum Finding: Equatable {
    /// With sentences for people on what could be better.
    case good(notes: [String])
    /// A sentence for people that says what is wrong and what to do.
    case wrong(String)
    /// The same, but it may become good by itself: replicas connect after a start.
    case incomplete(String)
    /// The connection has ended. Try again.
    case noAnswer
  }

  /// Asks an engine. `replicas` have to confirm what is written; with 0, what only matters to
  /// replicas is not checked. `downAfter` is that of the Sentinels; `nil` without any.
  static func run(
    on engine: any Engine, replicas: Int, downAfter: Duration? = nil,
    answer: @escaping (Finding) -> Void
  ) {
    var commands = EngineCommands()
    commands.add("INFO", "server")
    commands.add("INFO", "replication")
    commands.add(["CONFIG", "GET"] + settings)
    commands.add("EVAL", "return redis.call('EXISTS', KEYS[1])", "1", "nodes")
    engine.send(commands, durably: false) { replies in
      guard let replies, replies.count == 4 else { return answer(.noAnswer) }
      answer(finding(in: replies, replicas: replicas, downAfter: downAfter))
    }
  }

  private static func finding(
    in replies: [EngineReply], replicas: Int, downAfter: Duration?
  ) -> Finding {
    if let downAfter, downAfter < minDownAfter {
      return .wrong(
        "The Sentinels have down-after-milliseconds \(downAfter.milliseconds)."
          + " Set it to \(minDownAfter.milliseconds) or more.")
    }
    if case .error(let text) = replies[3] {
      return .wrong(
        "The engine does not run the scripts of the server: \(text.withoutFullStop)."
          + " Its user needs all commands and all keys.")
    }
    let version = field("redis_version", of: replies[0])
    let connected = field("connected_slaves", of: replies[1]).flatMap { Int($0) }
    if let major = version?.split(separator: ".").first.flatMap({ Int($0) }), major < minVersion {
      return .wrong("The engine is version \(version ?? ""). Install Redis 7, Valkey, or later.")
    }
    if let connected, connected < replicas {
      return .incomplete(
        "Each entry has to be confirmed by \(Count.of(replicas, "replica")), but the engine has"
          + " only \(connected). Start more, or ask for fewer with --cluster-replicas.")
    }
    let settings = replies[2].fields
    if let problem = settings.flatMap({ problem(in: $0, replicas: replicas) }) {
      return .wrong(problem)
    }
    let needed = settings?["min-replicas-to-write"].flatMap { Int($0) }
    if replicas == 0, let connected, let needed, connected < needed {
      return .wrong(
        "The engine takes nothing without \(Count.of(needed, "replica")), and has \(connected)."
          + " Set min-replicas-to-write to 0, or start replicas.")
    }
    var notes: [String] = []
    if replicas == 0 {
      notes.append("Without a replica, what the engine loses is lost.")
    } else if connected == replicas {
      notes.append(
        "With only \(Count.of(replicas, "replica")), a failover stops play until the lost copy is"
          + " back.")
    }
    if version == nil || connected == nil || settings == nil {
      notes.append(
        "The engine does not show all its settings. The manual page lists those that it needs.")
    }
    return .good(notes: notes)
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

extension String {
  /// An error of the engine, to be put into a sentence.
  var withoutFullStop: String {
    var text = self[...]
    while let last = text.last, ".? ".contains(last) { text.removeLast() }
    return String(text)
  }
}
