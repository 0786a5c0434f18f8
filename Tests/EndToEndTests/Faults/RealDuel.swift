import Shared
import TestSupport

@testable import Client

/// Two people at the real client who play a match through bad networks. The first one's connection is
/// cut where that is tried, and so is the next, somewhere while it comes back; the other one's comes in
/// pieces, and is cut anywhere. At the end somebody watches, to see what the server says of it.
final class RealDuel {
  let first: RealClient
  let second: RealClient
  let proxy: FaultProxy
  private let otherProxy: FaultProxy
  private let loop: EventLoop
  private let server: UInt16
  private var watching: WireClient?
  private var followed: FollowedMatch?

  init(
    _ number: Int, games: Int, cut: FaultPlan.Cut?, loop: EventLoop, server: UInt16, seed: UInt64
  ) throws {
    (self.loop, self.server) = (loop, server)
    var random = SeededGenerator(seed: seed &+ UInt64(number))
    let pieces = [1, 7, 100, 65_536].randomElement(using: &random) ?? 1
    let cuts = [cut, .random(in: 0..<1_000, using: &random)]
    let otherCut = FaultPlan.Cut.random(in: 0..<5_000, using: &random)
    proxy = try FaultProxy(loop: loop, server: server, seed: random.next()) { connection in
      var plan = FaultPlan()
      guard connection < cuts.count, cut != nil else { return plan }
      plan.cut = cuts[connection]
      plan.largestPiece = pieces
      return plan
    }
    otherProxy = try FaultProxy(loop: loop, server: server, seed: random.next()) { connection in
      var plan = FaultPlan()
      guard connection == 0, cut != nil else { return plan }
      plan.cut = otherCut
      plan.largestPiece = 200
      plan.longestDelay = .milliseconds(1)
      plan.stallsOneIn = 50
      return plan
    }
    let (ann, bob) = ("ann \(number)", "bob \(number)")
    let first = RealClient(ann, against: bob, games: games, loop: loop, port: proxy.port)
    self.first = first
    second = RealClient(bob, against: ann, games: games, loop: loop, port: otherProxy.port)
    // Then the first one has X in the first game.
    second.mayStart = { [weak first] in first?.program.status.isWaiting ?? false }
  }

  var cuts: Int { proxy.cuts.count + otherProxy.cuts.count }

  /// Both know that all games are over, and all that there is to know.
  var isDone: Bool {
    guard first.isDone, second.isDone, let last = first.program.match.last else { return false }
    if watching == nil { watch(last.match) }
    return [first, second].allSatisfy { $0.program.match.last?.seq == followed?.seq }
  }

  /// What either has wrong, of the match as the server tells it.
  var faults: [String] {
    guard let followed else { return ["The match cannot be watched."] }
    return first.faults + second.faults
      + [first, second].flatMap { client in
        let program = client.program
        let comparisons = [
          ("match", followed.match, program.match.last?.match),
          ("board", BoardDrawing.text(of: followed.board) + "\n", program.picture),
          ("score", "\(followed.score)", program.scores.latest.map { "\($0.score)" }),
        ]
        return comparisons.compactMap { what, told, known in
          told == known ? nil : "\(client.name) has the \(what) \(known ?? "-"), not \(told)"
        }
      }
  }

  /// Where both are.
  var description: String {
    [first, second].map { client in
      let program = client.program
      return "\(client.name): \(program.status), \(String(describing: program.match.last)), "
        + "\(program.isOnline ? "online" : "lost"), asked \(program.prompt?.text ?? "nothing")"
    }.joined(separator: "; ") + "; the server: \(followed.map { "\($0.seq)" } ?? "unknown")"
  }

  /// Both end their programs.
  func end() {
    watching = nil
    first.quit()
    second.quit()
  }

  var isOver: Bool { first.hasGone && second.hasGone }

  private func watch(_ match: String) {
    let client = WireClient(loop: loop, port: server)
    watching = client
    client.onEvent = { [weak self, weak client] event in
      switch event {
      case .hello: client?.send(.login(name: nil, password: nil))
      case .didLogin: client?.send(.watch(match: match))
      case .matchSnapshot(let snapshot): self?.followed = FollowedMatch(snapshot)
      case .match(let event): self?.follow(event)
      default: break
      }
    }
  }

  private func follow(_ event: MatchEvent) {
    // What does not follow is left out; then it never comes to the end.
    try? followed?.take(event)
  }
}

extension FaultPlan.Cut {
  static func random(in range: Range<Int>, using random: inout SeededGenerator) -> Self {
    FaultPlan.Cut(
      Bool.random(using: &random) ? .down : .up, after: Int.random(in: range, using: &random),
      Way.allCases.randomElement(using: &random) ?? .end)
  }
}
