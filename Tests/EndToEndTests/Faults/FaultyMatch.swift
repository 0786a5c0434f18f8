import Shared
import TestSupport

/// A match of two players over faulty networks. The first player's connection is cut where the test
/// says, and its next one at a random byte while it reconnects. In every eighth match the second
/// player's connection is slow and delivers in small pieces.
final class FaultyMatch {
  let first: ResumingPlayer
  let second: ResumingPlayer
  let proxy: FaultProxy
  private let otherProxy: FaultProxy

  init(
    _ number: Int, games: Int, cut: FaultPlan.Cut?, loop: EventLoop, server: UInt16, seed: UInt64
  ) throws {
    // Moves and the lengths of names are the same in every match, so that all matches have the same
    // bytes. For the same reason the first player always asks for a game first.
    let moves = seed
    let seed = seed &+ UInt64(number) &* 4
    var random = SeededGenerator(seed: seed)
    // Each piece is a packet; single bytes would be thousands of packets.
    let pieces = number % 16 == 0 ? 1 : [7, 100, 65_536].randomElement(using: &random) ?? 7
    // About as many bytes as reconnecting takes.
    let secondCut = FaultPlan.Cut(
      Bool.random(using: &random) ? .down : .up, after: Int.random(in: 0..<1_000, using: &random),
      Bool.random(using: &random) ? .reset : .end)
    proxy = try FaultProxy(loop: loop, server: server, seed: seed + 1) { connection in
      var plan = FaultPlan()
      guard cut != nil, connection < 2 else { return plan }
      plan.cut = connection == 0 ? cut : secondCut
      plan.largestPiece = pieces
      return plan
    }
    otherProxy = try FaultProxy(loop: loop, server: server, seed: seed + 2) { _ in
      var plan = FaultPlan()
      guard number % 8 == 0 else { return plan }
      plan.largestPiece = 200
      plan.longestDelay = .milliseconds(1)
      plan.stallsOneIn = 50
      return plan
    }
    let (ann, bob) = ("ann \(1_000_000 + number)", "bob \(1_000_000 + number)")
    let first = ResumingPlayer(
      ann, against: bob, games: games, loop: loop, port: proxy.port, seed: moves &+ 3)
    let second = ResumingPlayer(
      bob, against: ann, games: games, loop: loop, port: otherProxy.port, seed: moves &+ 4)
    first.mayStart = { [weak second] in second?.isOnline ?? false }
    second.mayStart = { [weak first] in first?.isWaiting ?? false }
    (self.first, self.second) = (first, second)
  }

  /// Whether both players have received the end of all games, and nothing is in flight.
  var isDone: Bool {
    first.isDone && second.isDone && first.tracker?.seq == second.tracker?.seq
  }

  var faults: [String] { first.faults + second.faults }

  /// Whether both players have the same state of the match, apart from their own marks.
  var agrees: Bool {
    guard let one = first.tracker, let other = second.tracker else { return false }
    return one.match == other.match && one.seq == other.seq && one.board.rows == other.board.rows
      && one.score == other.score && one.isOver == other.isOver && one.you == other.you?.other
  }

  func end() {
    first.quit()
    second.quit()
  }

  var isOver: Bool { first.hasGone && second.hasGone }
}
