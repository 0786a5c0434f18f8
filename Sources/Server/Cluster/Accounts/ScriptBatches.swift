/// Runs scripts whose effects must be durable, but for which nobody waits. One request is under way
/// at a time, and the scripts that gather meanwhile go together as the next one, so that no more of
/// them than that stand before the moves.
final class ScriptBatches {
  /// The maximum number of scripts in a request.
  static let maxScripts = 256
  /// How long it may take until the replicas are asked.
  static let confirmTime: Duration = .milliseconds(5)

  private struct Call {
    let script: RedisScript
    let keys: [String]
    let arguments: [String]
    let answer: (RedisReply?) -> Void
  }

  private let engine: any Redis
  private var calls: [Call] = []
  private var isWaiting = false

  init(_ engine: any Redis) { self.engine = engine }

  /// Runs a script after those before it, and answers with its reply; `nil` if there is none.
  func run(
    _ script: RedisScript, keys: [String], arguments: [String],
    answer: @escaping (RedisReply?) -> Void
  ) {
    calls.append(Call(script: script, keys: keys, arguments: arguments, answer: answer))
    sendNext()
  }

  private func sendNext() {
    guard !isWaiting, !calls.isEmpty else { return }
    isWaiting = true
    let batch = Array(calls.prefix(Self.maxScripts))
    calls.removeFirst(batch.count)
    var commands = RedisCommands()
    for call in batch {
      commands.add(call.script, keys: call.keys, arguments: call.arguments)
    }
    engine.send(commands, confirmed: .soon(within: Self.confirmTime)) { [weak self] replies in
      for (index, call) in batch.enumerated() { call.answer(replies?[index]) }
      self?.isWaiting = false
      self?.sendNext()
    }
  }
}
