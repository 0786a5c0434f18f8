import Shared

/// A match whose records are read as they are stored, for the results of its games.
final class FollowedMatch {
  let id: String
  /// The results that are not in the engine yet, in order.
  private(set) var results: [NumberedResult] = []
  /// Whether the first of them is being written.
  var isWriting = false
  /// What to do when all results are in the engine, because no more will come.
  var didFinish: (() -> Void)?
  /// Whether the last event of the match was read.
  private(set) var hasEnded = false
  private var game = ""
  /// The names by the marks of the first game; `nil` if the beginning was not read.
  private var names: PerMark<String>?
  private var events = 0
  private var games = 0
  private var moves = 0
  private var accounts: PerMark<Int>?
  /// The number of the last `gameDidEnd` that was read.
  private(set) var last = 0

  init(_ id: String) { self.id = id }

  /// Reads the next records, or all records again. Those that end a game now have ended at `time`,
  /// in milliseconds since 1970.
  func read(_ records: [UInt8], at time: Int) {
    records.withUnsafeBytes { records in
      records.forEachRecord { kind, payload in
        switch kind {
        case .beginning: begin(payload.decoded(as: BeginningRecord.self))
        case .accounts: accounts = payload.decoded(as: AccountsRecord.self)?.accounts
        case .event: read(payload, at: time)
        case .header, .token, .rematch, .synced, .removed: break
        }
      }
    }
  }

  private func begin(_ record: BeginningRecord?) {
    (game, names) = (record?.game ?? "", record?.names)
    (events, games, moves, accounts, hasEnded) = (0, 0, 0, nil, false)
  }

  private func read(_ line: UnsafeRawBufferPointer, at time: Int) {
    events += 1
    if line.begins(with: #"{"type":"boardDidChange","#) {
      moves += 1
    } else if line.begins(with: #"{"type":"gameDidStart","#) {
      games += 1
      moves = 0
    } else if line.begins(with: #"{"type":"gameDidEnd","#) {
      gameDidEnd(with: Outcome(ofLine: line), at: time)
    } else if line.begins(with: #"{"type":"matchDidEnd","#) {
      hasEnded = true
    }
  }

  private func gameDidEnd(with outcome: Outcome, at time: Int) {
    defer { accounts = nil }
    guard let names, events > last else { return }
    last = events
    let result = GameResult(
      match: id, game: game, players: MarkOrder(inGame: games).swapped(names),
      accounts: accounts, outcome: outcome, moves: moves, ended: time)
    results.append(NumberedResult(seq: events, result: result))
  }

  /// Removes the results that are in the engine: those up to a `gameDidEnd`.
  func didWrite(upTo seq: Int) { results.removeAll { $0.seq <= seq } }
}

/// A finished game with the number of its `gameDidEnd`.
struct NumberedResult {
  let seq: Int
  let result: GameResult
  /// By the marks of the game.
  let keys: PerMark<ExactText>

  init(seq: Int, result: GameResult) {
    self.seq = seq
    self.result = result
    keys = result.players.map { ExactText(Archive.key(of: $0)) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func begins(with text: StaticString) -> Bool {
    has(text, at: 0..<text.utf8CodeUnitCount)
  }
}
