import Shared
import TestSupport

@testable import Client

/// A match of two real clients over faulty networks. The first client's connection is cut where the
/// test says, and its next one at a random byte while it reconnects. The second client's connection
/// delivers in pieces, and is cut at a random byte. At the end a spectator reads the server's
/// state.
final class FaultyClientMatch {
  let first: AutomatedClient
  let second: AutomatedClient
  let proxy: FaultProxy
  private let otherProxy: FaultProxy
  private let loop: EventLoop
  private let server: UInt16
  private var watching: WireClient?
  private var tracker: MatchTracker?

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
    let first = AutomatedClient(ann, against: bob, games: games, loop: loop, port: proxy.port)
    self.first = first
    second = AutomatedClient(bob, against: ann, games: games, loop: loop, port: otherProxy.port)
    // So the first client has X in the first game.
    second.mayStart = { [weak first] in first?.program.status.isWaiting ?? false }
  }

  var cuts: Int { proxy.cuts.count + otherProxy.cuts.count }

  /// Whether both clients have received the end of all games, and every event.
  var isDone: Bool {
    guard first.isDone, second.isDone, let last = first.program.match.last else { return false }
    if watching == nil { watch(last.match) }
    return [first, second].allSatisfy { $0.program.match.last?.seq == tracker?.seq }
  }

  /// Where a client's state differs from the server's.
  var faults: [String] {
    guard let tracker else { return ["The match cannot be watched."] }
    return first.faults + second.faults
      + [first, second].flatMap { client in
        let program = client.program
        let comparisons = [
          ("match", tracker.match, program.match.last?.match),
          ("board", BoardDrawing.text(of: tracker.board, in: .ticTacToe) + "\n", program.picture),
          ("score", "\(tracker.score)", program.scores.latest.map { "\($0.score)" }),
        ]
        return comparisons.compactMap { what, told, known in
          told == known ? nil : "\(client.name) has the \(what) \(known ?? "-"), not \(told)"
        }
      }
  }

  /// The state of both clients, for a failure.
  var description: String {
    [first, second].map { client in
      let program = client.program
      return "\(client.name): \(program.status), \(String(describing: program.match.last)), "
        + "\(program.isOnline ? "online" : "lost"), asked \(program.prompt?.text ?? "nothing")"
    }.joined(separator: "; ") + "; the server: \(tracker.map { "\($0.seq)" } ?? "unknown")"
  }

  /// Ends both clients.
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
      case .matchSnapshot(let snapshot): self?.tracker = MatchTracker(snapshot)
      case .match(let event): self?.follow(event)
      default: break
      }
    }
  }

  private func follow(_ event: MatchEvent) {
    // An event that does not follow is dropped; then `isDone` stays false.
    try? tracker?.take(event)
  }
}

extension FaultPlan.Cut {
  static func random(in range: Range<Int>, using random: inout SeededGenerator) -> Self {
    FaultPlan.Cut(
      Bool.random(using: &random) ? .down : .up, after: Int.random(in: range, using: &random),
      Kind.allCases.randomElement(using: &random) ?? .end)
  }
}
