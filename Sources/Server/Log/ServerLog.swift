import Shared

/// The log and the counters of the server, which all its parts share.
final class ServerLog {
  /// The maximum number of RIBs in a report. It is more than people read, and small enough not to
  /// delay games.
  static let maxTreeLines = 1_000

  let log: Log
  var counters = Counters()

  init(_ log: Log) {
    self.log = log
  }

  /// Writes the tree of RIBs and the counters.
  func report(on root: any Routing) {
    let tree = RIBTree(root, maxLines: Self.maxTreeLines)
    for line in tree.lines { log.report("tree", ["text": .words(line)]) }
    if tree.more > 0 { log.report("tree", ["more": .number(tree.more)]) }
    log.report("counters", counters.fields)
  }
}

/// The counters of the server since its start.
struct Counters {
  /// The number of connections, sessions, matches or games, now and in total.
  struct Tally {
    private(set) var now = 0
    private(set) var total = 0

    mutating func begin() {
      now += 1
      total += 1
    }

    mutating func end() { now -= 1 }
  }

  var connections = Tally()
  var sessions = Tally()
  var matches = Tally()
  var games = Tally()
  var moves = 0
  /// Includes blank lines.
  var linesIn = 0
  var bytesIn = 0
  var bytesOut = 0
  var refused: [ErrorCode: Int] = [:]

  var fields: LogFields {
    [
      "connections": .number(connections.now), "connectionsTotal": .number(connections.total),
      "sessions": .number(sessions.now), "sessionsTotal": .number(sessions.total),
      "matches": .number(matches.now), "matchesTotal": .number(matches.total),
      "games": .number(games.now), "gamesTotal": .number(games.total),
      "moves": .number(moves), "linesIn": .number(linesIn), "bytesIn": .number(bytesIn),
      "bytesOut": .number(bytesOut), "refused": .text(refusals),
    ]
  }

  /// The refusals by code, such as `tooFast:3,cellTaken:1`, in the order of the protocol; `nil` if
  /// there were none.
  private var refusals: String? {
    let counts = ErrorCode.allCases.compactMap { code in
      refused[code].map { "\(code.rawValue):\($0)" }
    }
    return counts.isEmpty ? nil : counts.joined(separator: ",")
  }
}
