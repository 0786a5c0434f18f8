import Foundation
import Shared
import Testing

/// Simulates a server and its clients in many worlds, each from a seed. To run more of them:
///
///     SIMULATION_FROM=1000 SIMULATION_SEEDS=500 swift test --filter SimulationTests
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["SIMULATION_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["SIMULATION_SEEDS"].flatMap { UInt64($0) }

  @Test func `the server keeps every rule, whatever faults the connections have`() {
    var coverage = Coverage()
    var simulated = Duration.zero
    let start = ContinuousClock.now
    for seed in Self.first..<Self.first + (Self.count ?? 100) {
      let world = World(seed: seed)
      if let failure = world.run() { report(failure, seed) }
      coverage.formUnion(world.coverage)
      simulated += world.now
    }
    guard Self.count == nil else {
      return print(
        "Simulated \(simulated) in \(ContinuousClock.now - start). \(coverage.summary)")
    }
    // Worlds in which nothing happens would pass as well.
    #expect(Coverage.expected.errors.subtracting(coverage.errors) == [])
    #expect(Coverage.expected.byes.subtracting(coverage.byes) == [])
    #expect(coverage.gameEnds == Coverage.expected.gameEnds)
    #expect(coverage.lines == Set(GameInfo.all.map(\.id)))
    #expect(coverage.rare == [])
    #expect(coverage.matchEnds == Coverage.expected.matchEnds)
    #expect(coverage.secondUses > 2)
    #expect(coverage.returns > 30)
    #expect(coverage.tokenReplays > 50)
    #expect(coverage.drained.ended > 5)
    #expect(coverage.drained.cut > 5)
  }

  /// Seeds beyond the first hundred that once found a bug put in by hand, or a wrong check.
  @Test(arguments: [200, 422, 21256] as [UInt64])
  func `seeds that once failed pass`(seed: UInt64) {
    if let failure = World(seed: seed).run() { report(failure, seed) }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a seed replays to the byte`(seed: UInt64) {
    let worlds = [World(seed: seed), World(seed: seed, isTracing: true)]
    for world in worlds { #expect(world.run() == nil) }
    #expect(worlds[0].network.bytesDelivered > 1_000)
    #expect(worlds[0].network.hash == worlds[1].network.hash)
    #expect(worlds[0].now == worlds[1].now)
  }

  @Test func `a different seed makes a different world`() {
    let worlds = [World(seed: 1), World(seed: 2)]
    for world in worlds { #expect(world.run() == nil) }
    #expect(worlds[0].network.hash != worlds[1].network.hash)
  }

  /// Runs the world once more, with its last events.
  private func report(_ failure: String, _ seed: UInt64) {
    let again = World(seed: seed, isTracing: true)
    _ = again.run()
    let trace = again.trace.suffix(60).joined(separator: "\n")
    Issue.record(
      """
      seed \(seed): \(failure)
      to repeat: SIMULATION_FROM=\(seed) SIMULATION_SEEDS=1 swift test --filter SimulationTests
      \(trace)
      """)
  }
}
