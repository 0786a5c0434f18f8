import RIBs
import Shared

@testable import Server

/// The true state of the server's matches, for players to compare with: every board, the time of
/// each event, and its line.
final class ServerModel {
  private struct Record {
    var players: PerMark<String>
    var boards: [(seq: Int, board: Board, time: Duration)] = []
    var outcomes: [Int: Outcome] = [:]
    var isRunning = true
    /// The time of each event; the first is event 1.
    var times: [Duration] = []
    /// The line of each event, without the fields that differ between its receivers.
    var lines: [Int: String] = [:]
  }

  private struct WeakSession {
    weak var session: Session?
  }

  private let clock: () -> Duration
  private var records: [String: Record] = [:]
  /// In the order in which they began.
  private(set) var matches: [String] = []
  /// The matches that have not ended.
  private var channels: [MatchChannel] = []
  private var sessions: [WeakSession] = []
  /// How many matches each player has been in, by name.
  private var begun: [String: Int] = [:]
  /// Whether games may begin; `false` while the server drains.
  var mayBegin = true
  /// The match of the first game that began although it must not.
  private var lateMatch: String?
  private(set) var endedGames = 0
  /// When the last game ended.
  private(set) var lastEnd: Duration = .zero
  /// How many matches of each player ended their first game before any move.
  private var gamesWithoutMove: [String: Int] = [:]
  /// Players that lost a game as `abandoned`.
  private(set) var abandoners: Set<String> = []

  init(clock: @escaping () -> Duration) {
    self.clock = clock
  }

  func game(of channel: MatchChannel, didStartWith setup: GameSetup) {
    let players = setup.series.players.map(\.name)
    if channel.seq == 0 {
      records[channel.match] = Record(players: players)
      matches.append(channel.match)
      channels.append(channel)
      for seat in [channel.seats.x, channel.seats.o] { sessions.append(WeakSession(session: seat)) }
      for name in [players.x, players.o] { begun[name, default: 0] += 1 }
    }
    records[channel.match]?.players = players
    records[channel.match]?.isRunning = true
    if !mayBegin, lateMatch == nil { lateMatch = channel.match }
  }

  func board(of match: String, is board: Board, asOf seq: Int) {
    records[match]?.boards.append((seq, board, clock()))
  }

  func game(of match: String, endsWith outcome: Outcome, asOf seq: Int) {
    records[match]?.outcomes[seq] = outcome
    records[match]?.isRunning = false
    endedGames += 1
    lastEnd = clock()
    if let record = records[match], record.boards.count == 1 {
      for name in [record.players.x, record.players.o] { gamesWithoutMove[name, default: 0] += 1 }
    }
    guard outcome.reason == .abandoned, let winner = outcome.winner else { return }
    if let loser = records[match]?.players[winner.other] { abandoners.insert(loser) }
  }

  /// The number of games that run now.
  var runningGames: Int { channels.count { records[$0.match]?.isRunning == true } }

  /// The names of players whose sessions still exist.
  var remainingSessions: [String] { sessions.compactMap { $0.session?.name.text } }

  func matchesBegun(by name: String) -> Int { begun[name, default: 0] }

  /// Whether the server may delay the pairings of a player who left early more than once.
  func mayBeDelayed(_ name: String) -> Bool { gamesWithoutMove[name, default: 0] > 1 }

  func board(of match: String, asOf seq: Int) -> Board? {
    records[match]?.boards.last { $0.seq <= seq }?.board
  }

  /// When the board last changed before an event.
  func timeOfChange(of match: String, before seq: Int) -> Duration? {
    records[match]?.boards.last { $0.seq < seq }?.time
  }

  func outcome(of match: String, asOf seq: Int) -> Outcome? {
    records[match]?.outcomes[seq]
  }

  func time(of match: String, seq: Int) -> Duration? {
    guard let times = records[match]?.times, times.indices.contains(seq - 1) else { return nil }
    return times[seq - 1]
  }

  /// Records a line. Returns whether it is the first one of its event. Throws if the server has had
  /// no such event, or if the line differs from the first one.
  func receive(_ line: String, of match: String, seq: Int) throws(ViolationError) -> Bool {
    guard time(of: match, seq: seq) != nil else {
      throw ViolationError("match \(match) has had no event \(seq)")
    }
    guard let first = records[match]?.lines[seq] else {
      records[match]?.lines[seq] = line
      return true
    }
    try require(first == line, "two copies of one event differ: \(first) and \(line)")
    return false
  }

  /// Records the time of this turn's events, and checks that sessions, matches and RIBs agree.
  func endTurn(
    of root: any Server.RootRouting, _ matches: MatchRegistry?
  ) throws(ViolationError) {
    let now = clock()
    for channel in channels {
      let missing = channel.seq - (records[channel.match]?.times.count ?? 0)
      for _ in 0..<missing { records[channel.match]?.times.append(now) }
    }
    channels.removeAll { matches?[$0.match] == nil }
    for channel in channels { try look(at: channel) }
    try require(lateMatch == nil, "a game begins in \(lateMatch ?? ""), but the server drains")
    try require(
      matches?.count == channels.count && root.children.count == channels.count,
      "\(channels.count) matches run, but the root has \(root.children.count) children")
  }

  private func look(at channel: MatchChannel) throws(ViolationError) {
    for seat in [channel.seats.x, channel.seats.o] {
      guard let seat else { continue }
      guard case .playing(let match) = seat.place, match.seat(of: seat) != nil else {
        throw ViolationError("\(seat.name.text) sits in a match but is \(seat.place)")
      }
    }
    for spectator in channel.spectators {
      guard case .watching = spectator.place else {
        throw ViolationError("\(spectator.name.text) watches a match but is \(spectator.place)")
      }
      try require(
        spectator.outlet != nil, "\(spectator.name.text) watches without a connection")
    }
  }
}

extension Match {
  fileprivate func seat(of session: Session) -> Session? {
    guard case .playing(let match) = session.place else { return nil }
    return match === self ? session : nil
  }
}
