import Foundation
import Testing

/// Simulates the nodes of a cluster and its engine in many worlds, each from a seed. To run more of
/// them:
///
///     CLUSTER_SIMULATION_FROM=1000 CLUSTER_SIMULATION_SEEDS=500 \
///       SWIFT_DETERMINISTIC_HASHING=1 swift test --filter ClusterSimulationTests
@Suite(.serialized) struct ClusterSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["CLUSTER_SIMULATION_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["CLUSTER_SIMULATION_SEEDS"].flatMap { UInt64($0) }
  /// The first ones, and those that have found something.
  private static var seeds: [UInt64] {
    count.map { Array(first..<first + $0) } ?? Array(1...12) + [252, 319, 485, 584, 1_498, 5_038]
  }

  @Test func `no node contradicts another, whatever fails`() {
    var counts: [String: Int] = [:]
    var simulated = Duration.zero
    let start = ContinuousClock.now
    for seed in Self.seeds {
      let world = ClusterWorld(seed: seed)
      if let failure = world.run() { report(failure, seed) }
      counts.merge(world.counts) { $0 + $1 }
      simulated += world.now - .seconds(1_000)
    }
    if Self.count != nil {
      let sorted = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      print("Simulated \(simulated) in \(ContinuousClock.now - start). \(sorted)")
    }
  }

  @Test func `matches that move from node to node go on, whatever fails`() {
    var counts: [String: Int] = [:]
    let known: [UInt64] = Array(1...12) + [1_093, 1_169, 5_056, 5_088, 5_162]
    for seed in Self.count == nil ? known : Self.seeds {
      let world = ClusterWorld(seed: seed, movesMatches: true)
      if let failure = world.run() { report(failure, seed, movesMatches: true) }
      counts.merge(world.counts) { $0 + $1 }
    }
    guard Self.count != nil else {
      #expect(counts["matches moved", default: 0] > 10)
      return
    }
    print(counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
  }

  @Test func `of two players who invite each other at once, one moves, and once`() {
    for seed in Self.count == nil ? Array(1...30) : Self.seeds {
      let world = ClusterWorld(seed: seed, failures: 0, idlePlayers: 2)
      let (one, other) = (world.players[0], world.players[1])
      defer { world.end() }
      let areIn = world.run(within: .seconds(10)) { one.isFree && other.isFree }
      #expect(areIn, "seed \(seed)")
      guard one.isElsewhere(than: other) else { continue }
      one.invite(other)
      let delay = world.random.duration(.zero...Duration.milliseconds(seed % 3 == 0 ? 0 : 100))
      var isInvited = false
      world.time.after(delay) { isInvited = true }
      _ = world.run(within: .seconds(1)) { isInvited }
      if other.isFree { other.invite(one) }
      let play = world.run(within: .seconds(10)) {
        one.match != nil && one.match == other.match
      }
      let trace = world.trace.joined(separator: "\n")
      #expect(play && world.failure == nil, "seed \(seed): \(world.failure ?? "no match") \(trace)")
      #expect(one.moves.count + other.moves.count == 1, "seed \(seed)")
    }
  }

  /// Runs the world once more, with its last events.
  private func report(_ failure: String, _ seed: UInt64, movesMatches: Bool = false) {
    let again = ClusterWorld(seed: seed, movesMatches: movesMatches, isTracing: true)
    let second = again.run()
    let trace = again.trace.suffix(Self.count == 1 ? 100_000 : 80).joined(separator: "\n")
    Issue.record(
      """
      seed \(seed): \(failure)\(second == failure ? "" : " (and then \(second ?? "nothing"))")
      to repeat: CLUSTER_SIMULATION_FROM=\(seed) CLUSTER_SIMULATION_SEEDS=1 \
      SWIFT_DETERMINISTIC_HASHING=1 swift test --filter ClusterSimulationTests
      \(trace)
      """)
  }
}
