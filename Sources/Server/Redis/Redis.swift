/// When enough replicas have to confirm what a request has written, before it is answered.
enum Replication: Equatable {
  /// It is answered with the replies of the primary.
  case never
  /// They are asked at once. The connection does nothing else until they have it.
  case now
  /// They are asked together with the next request with `now`; if none follows within a time, then.
  case soon(within: Duration)

  /// As soon as all requests of this turn of the loop are sent.
  static let withThisTurn = soon(within: .zero)
}

/// What the nodes of a cluster have in common: Redis 7 or Valkey. Each answer comes on the thread
/// of the loop, once, and never within the call.
protocol Redis: AnyObject {
  /// Whether there is a connection to the primary, over which commands are sent.
  var isConnected: Bool { get }
  /// Carries out commands, after all those that were sent before.
  ///
  /// `answer` gets one reply for each command. It gets `nil` if there is no connection, if that
  /// ended before the last reply, or if too few replicas have what was written. The engine may have
  /// carried out the commands even so. Requests with the same `confirmed`
  /// are answered in order.
  func send(
    _ commands: RedisCommands, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void)
  /// Ends the connection, and looks for the primary again. For a process that was stopped: it has
  /// not noticed what has happened to its connection meanwhile.
  func reconnect()
}

extension Redis {
  /// Carries out one command and returns its reply.
  func ask(
    _ words: String..., confirmed: Replication = .never, answer: @escaping (RedisReply?) -> Void
  ) {
    var commands = RedisCommands()
    commands.add(words)
    send(commands, confirmed: confirmed) { answer($0?.first) }
  }

  /// Runs a script and returns its reply; `nil` also if that is an error.
  func run(
    _ script: RedisScript, keys: [String] = [], _ arguments: String...,
    confirmed: Replication = .now, answer: @escaping (RedisReply?) -> Void
  ) {
    var commands = RedisCommands()
    commands.add(script, keys: keys, arguments: arguments)
    send(commands, confirmed: confirmed) { replies in
      if case .error = replies?.first { return answer(nil) }
      answer(replies?.first)
    }
  }
}
