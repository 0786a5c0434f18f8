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
  /// `nil` if the beginning was not read.
  private(set) var record: MatchRecord?
  /// The number of the last `gameDidEnd` that was read.
  private(set) var last = 0

  init(_ id: String) { self.id = id }

  /// Reads the next records, or all records again. Those that end a game now have ended at `time`,
  /// in milliseconds since 1970.
  func read(_ records: [UInt8], at time: @autoclosure () -> Int) {
    records.withUnsafeBytes { records in
      records.forEachRecord { kind, payload in
        switch kind {
        case .beginning:
          record = payload.decoded(as: BeginningRecord.self).map(MatchRecord.init)
        case .accounts: record?.accounts = payload.decoded(as: AccountsRecord.self)?.accounts
        case .event: read(payload, time)
        case .header, .token, .rematch, .synced, .removed: break
        }
      }
    }
  }

  private func read(_ line: UnsafeRawBufferPointer, _ time: () -> Int) {
    let head = EventHead(line)
    let end = head?.kind == .gameEnd ? time() : nil
    guard let result = record?.apply(head, line, at: end),
      let seq = record?.events, seq > last
    else { return }
    last = seq
    results.append(NumberedResult(seq: seq, result: result))
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
