import Shared

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

    static func + (one: Tally, other: Tally) -> Tally {
      Tally(now: one.now + other.now, total: one.total + other.total)
    }
  }

  var connections = Tally()
  var rejected: [RejectionReason: Int] = [:]
  var sessions = Tally()
  var resumes = 0
  /// The number of spectators of all matches now.
  var spectators = 0
  private var perGame: [String: GameCounters] = [:]
  /// Includes blank lines.
  var linesIn = 0
  var bytesIn = 0
  var bytesOut = 0
  /// Moves in their usual forms, which no `Command` is made for.
  var plainMoves = 0
  /// Counted apart from the others, because each game begins with two.
  private var starts = 0
  /// All commands but `plainMoves` and `starts`.
  private var decoded: [CommandType: Int] = [:]
  var refused: [ErrorCode: Int] = [:]
  /// By the code of `bye`. A connection that is reset because it is too slow counts too.
  var goodbyes: [ByeCode: Int] = [:]

  mutating func count(_ command: CommandType) {
    if case .start = command { starts &+= 1 } else { decoded[command, default: 0] += 1 }
  }

  func commands(_ type: CommandType) -> Int {
    switch type {
    case .start: starts
    case .place: decoded[type, default: 0] + plainMoves
    default: decoded[type, default: 0]
    }
  }

  /// Returns the counters of one kind of game. A match looks them up once.
  mutating func of(_ game: GameInfo) -> GameCounters {
    if let counters = perGame[game.id] { return counters }
    let counters = GameCounters()
    perGame[game.id] = counters
    return counters
  }

  var matches: Tally { perGame.values.reduce(Tally()) { $0 + $1.matches } }
  var games: Tally { perGame.values.reduce(Tally()) { $0 + $1.games } }
  var moves: Int { perGame.values.reduce(0) { $0 + $1.moves } }

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

/// The counters of one kind of game. A class, so that a match can count its moves without a
/// look-up.
final class GameCounters {
  var matches = Counters.Tally()
  var games = Counters.Tally()
  /// Includes those of bots.
  var moves = 0
}

/// Why a connection was rejected.
enum RejectionReason: String, CaseIterable {
  /// There are too many connections.
  case full
  /// There are too many of its address.
  case address
  /// The operator has banned its address.
  case banned
  /// A trusted proxy did not send a PROXY header.
  case proxy
  /// The process has no descriptor or memory for it.
  case shortage
}
