import Foundation
import Testing

/// Simulates outages of the real client, each from a seed. To run more of them:
///
///     SIMULATION_FROM=1000 SIMULATION_SEEDS=5000 swift test --filter OutageSimulationTests
@Suite struct OutageSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["SIMULATION_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["SIMULATION_SEEDS"].flatMap { UInt64($0) }

  @Test func `every way back from an outage ends in a client that plays`() throws {
    var endings: [String: Int] = [:]
    for seed in Self.first..<Self.first + (Self.count ?? 150) {
      let world = try OutageWorld(seed: seed)
      if let failure = try world.run() { Issue.record("seed \(seed): \(failure)") }
      endings["\(world.situation) \(world.ending)", default: 0] += 1
    }
    guard Self.count == nil else { return print("Simulated: \(endings)") }
    // Worlds in which nothing happens would pass as well.
    for ending in [
      "nothing works", "nameTaken form", "nameRegistered form", "passwordChanged form",
      "addressBanned form", "nameBanned form", "full works", "shutdown works", "killed works",
      "emptied works", "otherProtocol form",
    ] {
      #expect(endings[ending, default: 0] > 0, "\(ending) did not happen")
    }
    #expect(endings.keys.contains { $0.hasSuffix(" end") }, "no script has ended")
  }
}
