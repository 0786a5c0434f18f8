import Shared

/// Checks that an engine is set up so that what it has confirmed is not lost.
enum RedisCheck {
  /// The oldest version that has all the commands.
  static let minVersion = 7
  /// A replica that was away for a while gets what it has missed out of the backlog, in bytes. With
  /// less it copies the whole engine, and confirms nothing meanwhile.
  static let minBacklog = 268_435_456
  /// How far a replica may be behind before the engine leaves it, in bytes.
  static let minReplicaBuffer = 1_073_741_824
  /// How long the primary may be silent before the Sentinels replace it. By then no node believes
  /// it any more, which takes `RedisConnection.maxSilence`.
  static let minDownAfter: Duration = .milliseconds(1_500)

  private static let settings = [
    "maxmemory-policy", "appendonly", "repl-backlog-size", "client-output-buffer-limit",
    "min-replicas-to-write", "repl-diskless-sync", "repl-diskless-sync-delay", "appendfsync",
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
    on engine: any Redis, replicas: Int, downAfter: Duration? = nil,
    answer: @escaping (Finding) -> Void
  ) {
    var commands = RedisCommands()
    commands.add("INFO", "server")
    commands.add("INFO", "replication")
    commands.add(["CONFIG", "GET"] + settings)
    commands.add("EVAL", "return redis.call('EXISTS', KEYS[1])", "1", RedisKey.restoring)
    engine.send(commands, confirmed: .never) { replies in
      guard let replies, replies.count == 4 else { return answer(.noAnswer) }
      answer(finding(in: replies, replicas: replicas, downAfter: downAfter))
    }
  }

  private static func finding(
    in replies: [RedisReply], replicas: Int, downAfter: Duration?
  ) -> Finding {
    if case .error(let text) = replies[3] {
      return .wrong(
        "The engine does not run the scripts of the server: \(text.withoutFullStop)."
          + " Its user needs the rights that docs/cluster/users.acl has.")
    }
    if replies[3] == .integer(1) {
      return .incomplete(
        "A backup is being restored into the engine, or that was broken off. If it was, empty the"
          + " engine with FLUSHDB, and restore again.")
    }
    let version = replies[0].text?.infoField("redis_version")
    let connected = replies[1].text?.infoField("connected_slaves").flatMap { Int($0) }
    if let major = version?.split(separator: ".").first.flatMap({ Int($0) }), major < minVersion {
      return .wrong("The engine is version \(version ?? ""). Install Redis 7, Valkey, or later.")
    }
    if let connected, connected < replicas {
      return .incomplete(
        "Each entry has to be confirmed by \(Count.of(replicas, "replica")), but the engine has"
          + " only \(connected). Start more, or ask for fewer with --cluster-replicas.")
    }
    let settings = replies[2].fields
    var problems = settings.map { self.problems(in: $0, replicas: replicas) } ?? []
    if let downAfter, downAfter < minDownAfter {
      problems.append(
        Setting(
          "down-after-milliseconds", "\(downAfter.milliseconds)", of: "The Sentinels have",
          needs: "\(minDownAfter.milliseconds)", orMore: true))
    }
    if !problems.isEmpty { return .wrong(Setting.sentences(problems)) }
    let needed = settings?["min-replicas-to-write"].flatMap { Int($0) }
    if replicas == 0, let connected, let needed, connected < needed {
      return .wrong(
        "The engine takes nothing without \(Count.of(needed, "replica")), and has \(connected)."
          + " Set min-replicas-to-write to 0, or start replicas.")
    }
    var notes = settings.map { warnings(in: $0, replicas: replicas) } ?? []
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

  /// A setting that is wrong, and the value that it needs.
  private struct Setting {
    let owner: String
    let name: String
    let value: String
    let needed: String
    let orMore: Bool

    init(
      _ name: String, _ value: String?, of owner: String = "The engine has", needs needed: String,
      orMore: Bool = false
    ) {
      self.owner = owner
      self.name = name
      self.value = value ?? "unknown"
      self.needed = needed
      self.orMore = orMore
    }

    var sentence: String {
      "\(owner) \(name) \(value). Set it to \(needed)\(orMore ? " or more" : "")."
    }

    /// All of them at once, and the lines to put into the configuration if there are several.
    static func sentences(_ all: [Setting]) -> String {
      let sentences = all.map(\.sentence).joined(separator: " ")
      guard all.count > 1 else { return sentences }
      let lines = all.map { "\n  \($0.name) \($0.needed)" }.joined()
      return "\(sentences) The lines for the configuration:\(lines)"
    }
  }

  /// Settings with which something may be lost.
  private static func problems(in values: [String: String], replicas: Int) -> [Setting] {
    var wrong: [Setting] = []
    func require(
      _ isRight: Bool, _ name: String, _ needed: String, orMore: Bool = false
    ) {
      if !isRight { wrong.append(Setting(name, values[name], needs: needed, orMore: orMore)) }
    }
    require(values["maxmemory-policy"] == "noeviction", "maxmemory-policy", "noeviction")
    require(values["appendonly"] == "yes", "appendonly", "yes")
    guard replicas > 0 else { return wrong }
    require(
      Int(values["min-replicas-to-write"] ?? "") ?? 0 >= 1, "min-replicas-to-write", "1")
    require(
      Int(values["repl-backlog-size"] ?? "") ?? 0 >= minBacklog, "repl-backlog-size", "256mb",
      orMore: true)
    let hard = hardLimit(ofReplicasIn: values["client-output-buffer-limit"] ?? "")
    require(
      hard == 0 || hard >= minReplicaBuffer, "client-output-buffer-limit", "replica 1gb 1gb 0",
      orMore: true)
    return wrong
  }

  /// Sentences on settings that lose nothing, but with which play stops for longer than it has to.
  private static func warnings(in values: [String: String], replicas: Int) -> [String] {
    var notes: [String] = []
    if replicas > 0, values["repl-diskless-sync"] == "no" {
      notes.append(
        "The engine has repl-diskless-sync no. It writes a copy for a replica to its disk first, so"
          + " play may stop for longer when the primary changes. Put this line into redis.conf on"
          + " all hosts: repl-diskless-sync yes")
    }
    if replicas > 0, let delay = values["repl-diskless-sync-delay"], delay != "0" {
      notes.append(
        "The engine has repl-diskless-sync-delay \(delay). Play may stop for \(delay) s longer"
          + " when the primary changes. Put this line into redis.conf on all hosts:"
          + " repl-diskless-sync-delay 0")
    }
    if values["appendfsync"] == "no" {
      notes.append(
        "The engine has appendfsync no. If all hosts lose power, more than a second is lost. Put"
          + " this line into redis.conf on all hosts: appendfsync everysec")
    }
    return notes
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
}

extension String {
  /// An error of the engine, to be put into a sentence.
  var withoutFullStop: String {
    var text = self[...]
    while let last = text.last, ".? ".contains(last) { text.removeLast() }
    return String(text)
  }
}
