import Foundation
import Shared

/// What a node knows of `tictactoe-server archive --follow`, which takes finished matches out of
/// the engine. If it is gone for too long, the node lets the engine forget them after a day.
final class ArchiveFollowers {
  /// How long after its last word finished matches are kept without a limit.
  let keep: Duration
  /// When a follower has given its last word, by the engine's clock; `nil` if none ever has.
  private(set) var lastWord: Date?
  /// How long the oldest finished match has waited, at the last look.
  private(set) var lag: Duration = .zero
  private let engine: any Redis

  init(engine: any Redis, keep: Duration) {
    self.engine = engine
    self.keep = keep
  }

  /// Takes up what a follower has said last; `nil` if none ever has. Called after each renewal.
  func take(_ word: String?) {
    let time = word?.split(separator: " ").first.flatMap { Int($0) }
    lastWord = time.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    if time == nil { lag = .zero } else { readOldest() }
  }

  private func readOldest() {
    var commands = RedisCommands()
    commands.add("TIME")
    commands.add("ZRANGE", RedisKey.finished, "0", "0", "WITHSCORES")
    engine.send(commands, confirmed: .never) { [weak self] replies in
      guard let self, let replies, replies.count == 2,
        let seconds = replies[0].elements?.first?.text.flatMap({ Int($0) }),
        let oldest = replies[1].elements
      else { return }
      let ended = oldest.last?.text.flatMap { Double($0) }.map { Duration.seconds($0 / 1_000) }
      lag = ended.map { max(.zero, .seconds(seconds) - $0) } ?? .zero
      guard ended != nil, let lastWord else { return }
      let silence = Duration.seconds(seconds) - .seconds(lastWord.timeIntervalSince1970)
      if silence >= keep {
        engine.run(.limitFinished, String(keep.milliseconds)) { _ in }
      }
    }
  }
}
