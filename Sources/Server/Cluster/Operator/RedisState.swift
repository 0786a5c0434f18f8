import Shared

/// What the operator sees of the engine: its memory, and how far its replicas are.
struct RedisState: Equatable {
  struct Replica: Equatable {
    let address: String
    let state: String
    /// How many bytes of what the primary has written it has not confirmed.
    let bytesBehind: Int
    /// For how long it has confirmed nothing.
    let silence: Duration
  }

  let usage: RedisUsage
  let replicas: [Replica]

  /// Takes the answers to `INFO memory` and `INFO replication`.
  init(memory: String, replication: String) {
    usage = RedisUsage(memory)
    let written = replication.infoField("master_repl_offset").flatMap { Int($0) } ?? 0
    replicas = replication.split(whereSeparator: \.isNewline).compactMap { line in
      guard let match = line.wholeMatch(of: /slave\d+:(.*)/) else { return nil }
      var fields: [Substring: Substring] = [:]
      for pair in match.1.split(separator: ",") {
        guard let index = pair.firstIndex(of: "=") else { continue }
        fields[pair[..<index]] = pair[pair.index(after: index)...]
      }
      guard let host = fields["ip"], let port = fields["port"] else { return nil }
      return Replica(
        address: "\(host):\(port)", state: String(fields["state"] ?? ""),
        bytesBehind: max(0, written - (fields["offset"].flatMap { Int($0) } ?? 0)),
        silence: .seconds(fields["lag"].flatMap { Int($0) } ?? 0))
    }
  }

  /// Asks the engine; gives `nil` if it does not answer.
  static func read(from cluster: Cluster, answer: @escaping (RedisState?) -> Void) {
    var commands = RedisCommands()
    commands.add("INFO", "memory")
    commands.add("INFO", "replication")
    cluster.send(commands) { replies in
      guard let texts = replies?.map(\.text), let memory = texts.first ?? nil,
        let replication = texts.last ?? nil
      else { return answer(nil) }
      answer(RedisState(memory: memory, replication: replication))
    }
  }
}
