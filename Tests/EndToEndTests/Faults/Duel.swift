import Shared
import TestSupport

/// Two who play a match through bad networks: the first one's connection is cut where that is tried,
/// and so is the next, somewhere while it comes back; the other one's is slow and comes in pieces where
/// the number of the match says so.
final class Duel {
  let first: ResumingPlayer
  let second: ResumingPlayer
  let proxy: FaultProxy
  private let otherProxy: FaultProxy

  init(
    _ number: Int, games: Int, cut: FaultPlan.Cut?, loop: EventLoop, server: UInt16, seed: UInt64
  ) throws {
    // Both move, and are called, as in every other match, so that all are equally long: the first asks
    // first each time, and the second not before.
    let moves = seed
    let seed = seed &+ UInt64(number) &* 4
    var random = SeededGenerator(seed: seed)
    // Each piece is a packet; of single bytes there are thousands.
    let pieces = number % 16 == 0 ? 1 : [7, 100, 65_536].randomElement(using: &random) ?? 7
    // About as many bytes as it takes to come back.
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

  /// Both know that all games are over, and neither has anything on its way.
  var isDone: Bool {
    first.isDone && second.isDone && first.followed?.seq == second.followed?.seq
  }

  var faults: [String] { first.faults + second.faults }

  /// Both know the same, but for whose mark is whose.
  var agrees: Bool {
    guard let one = first.followed, let other = second.followed else { return false }
    return one.match == other.match && one.seq == other.seq && one.board.rows == other.board.rows
      && one.score == other.score && one.isOver == other.isOver && one.you == other.you?.other
  }

  func end() {
    first.quit()
    second.quit()
  }

  var isOver: Bool { first.hasGone && second.hasGone }
}
