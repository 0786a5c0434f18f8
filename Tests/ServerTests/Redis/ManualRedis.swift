import Shared

@testable import Server

/// An engine whose answers the test gives.
final class ManualRedis: Redis {
  struct Request {
    /// The commands, each as its words.
    let commands: [[String]]
    let confirmed: Replication
    let answer: ([RedisReply]?) -> Void
  }

  var isConnected = true
  private(set) var reconnections = 0
  private(set) var requests: [Request] = []

  func send(
    _ commands: RedisCommands, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void
  ) {
    var parser = RedisReplyParser()
    parser.append(commands.bytes.span)
    var all: [[String]] = []
    // A command has the form of a reply.
    while let words = try? parser.next()?.elements { all.append(words.map { $0.text ?? "?" }) }
    requests.append(Request(commands: all, confirmed: confirmed, answer: answer))
  }

  func reconnect() { reconnections += 1 }

  /// Answers the oldest request: each command with the reply that `reply` returns for its words, or
  /// all of it with `nil`.
  func answer(_ reply: (([String]) -> RedisReply)?) {
    let request = requests.removeFirst()
    request.answer(reply.map { request.commands.map($0) })
  }

  /// Answers as if everything was written: with the id of an entry, and `OK` otherwise.
  func confirm() {
    answer { words in
      switch words[0] {
      case "XADD": .bulk(Array(words[words[2] == "NOMKSTREAM" ? 3 : 2].utf8))
      case "EVAL" where words[1] == RedisScript.beginMatch.text: .bulk(Array(words[5].utf8))
      default: .status("OK")
      }
    }
  }
}
