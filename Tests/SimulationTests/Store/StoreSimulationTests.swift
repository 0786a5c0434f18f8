import Foundation
import Testing

/// Simulates servers that die, in many worlds, each from a seed. To run more of them:
///
///     SIMULATION_FROM=1000 SIMULATION_SEEDS=5000 swift test --filter StoreSimulationTests
@Suite struct StoreSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["SIMULATION_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["SIMULATION_SEEDS"].flatMap { UInt64($0) }

  @Test func `a server never contradicts what it has told, whenever it dies`() throws {
    var counts: [String: Int] = [:]
    for seed in Self.first..<Self.first + (Self.count ?? 60) {
      let world = try StoreWorld(seed: seed)
      if let failure = try world.run() { Issue.record("seed \(seed): \(failure)") }
      counts.merge(world.counts, uniquingKeysWith: +)
      counts["torn writes", default: 0] += world.disk.tornWrites
    }
    guard Self.count == nil else { return print("Simulated: \(counts)") }
    // Worlds in which nothing happens would pass as well.
    for what in [
      "process", "power", "failure", "in a call", "power without its durability", "torn writes",
      "told events", "lost events", "resumed", "changed accounts", "archived matches",
      "rated games", "locks", "moved files",
    ] {
      #expect(counts[what, default: 0] > 0, "\(what) did not happen")
    }
  }
}
