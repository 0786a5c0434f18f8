/// What the nodes of a cluster have in common: Redis 7 or Valkey. Each answer comes on the thread
/// of the loop, once, and never within the call.
protocol Redis: AnyObject {
  /// Whether there is a connection to the primary, over which commands are sent.
  var isConnected: Bool { get }
  /// Carries out commands, after all those that were sent before. With `durably`, it also waits
  /// until enough replicas have what they have written.
  ///
  /// `answer` gets one reply for each command. It gets `nil` if there is no connection, if that
  /// ended before the last reply, or if too few replicas have what was written. The engine may have
  /// carried out the commands even so.
  func send(
    _ commands: RedisCommands, durably: Bool, answer: @escaping ([RedisReply]?) -> Void)
  /// Ends the connection, and looks for the primary again. For a process that was stopped: it has
  /// not noticed what has happened to its connection meanwhile.
  func reconnect()
}

extension Redis {
  /// Carries out one command and returns its reply.
  func ask(_ words: String..., durably: Bool = false, answer: @escaping (RedisReply?) -> Void) {
    var commands = RedisCommands()
    commands.add(words)
    send(commands, durably: durably) { answer($0?.first) }
  }

  /// Runs a script and returns its reply; `nil` also if that is an error.
  func run(
    _ script: RedisScript, keys: [String] = [], _ arguments: String..., durably: Bool = true,
    answer: @escaping (RedisReply?) -> Void
  ) {
    var commands = RedisCommands()
    commands.add(script, keys: keys, arguments: arguments)
    send(commands, durably: durably) { replies in
      if case .error = replies?.first { return answer(nil) }
      answer(replies?.first)
    }
  }
}
