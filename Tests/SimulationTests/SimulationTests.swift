import Foundation
import Testing

/// Worlds of a server and its clients, each from a seed. More of them:
///
///     SIMULATION_FROM=1000 SIMULATION_SEEDS=500 swift test --filter SimulationTests
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["SIMULATION_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["SIMULATION_SEEDS"].flatMap { UInt64($0) }

  @Test func `whatever befalls the connections, no world goes wrong`() {
    var sightings = Sightings()
    var simulated = Duration.zero
    let start = ContinuousClock.now
    for seed in Self.first..<Self.first + (Self.count ?? 100) {
      let world = World(seed: seed)
      if let complaint = world.run() { report(complaint, seed) }
      sightings.formUnion(world.sightings)
      simulated += world.now
    }
    guard Self.count == nil else {
      return print("Simulated \(simulated) in \(ContinuousClock.now - start).")
    }
    // Worlds in which nothing happens would go well, too.
    #expect(sightings.errors.isSuperset(of: Sightings.expected.errors))
    #expect(sightings.goodbyes.isSuperset(of: Sightings.expected.goodbyes))
    #expect(sightings.gameEnds == Sightings.expected.gameEnds)
    #expect(sightings.matchEnds == Sightings.expected.matchEnds)
    #expect(sightings.secondUses > 2)
    #expect(sightings.comebacks > 30)
    #expect(sightings.replays > 50)
    #expect(sightings.drained.ended > 5)
    #expect(sightings.drained.cut > 5)
  }

  /// Each of them, beyond the hundred, has found something once: a bug put in by hand, or a demand that
  /// was wrong.
  @Test(arguments: [200, 422, 21256] as [UInt64])
  func `a seed that went wrong once goes well`(seed: UInt64) {
    if let complaint = World(seed: seed).run() { report(complaint, seed) }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a seed replays to the byte`(seed: UInt64) {
    let worlds = [World(seed: seed), World(seed: seed, isTracing: true)]
    for world in worlds { #expect(world.run() == nil) }
    #expect(worlds[0].network.bytesDelivered > 1_000)
    #expect(worlds[0].network.hash == worlds[1].network.hash)
    #expect(worlds[0].now == worlds[1].now)
  }

  @Test func `another seed is another world`() {
    let worlds = [World(seed: 1), World(seed: 2)]
    for world in worlds { #expect(world.run() == nil) }
    #expect(worlds[0].network.hash != worlds[1].network.hash)
  }

  /// Runs the world once more, with its last events.
  private func report(_ complaint: String, _ seed: UInt64) {
    let again = World(seed: seed, isTracing: true)
    _ = again.run()
    let trace = again.trace.suffix(60).joined(separator: "\n")
    Issue.record(
      """
      seed \(seed): \(complaint)
      again: SIMULATION_FROM=\(seed) SIMULATION_SEEDS=1 swift test --filter SimulationTests
      \(trace)
      """)
  }
}
