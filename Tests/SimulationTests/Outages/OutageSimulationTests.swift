import Foundation
import Testing

/// Simulates outages of the real client, each from a seed. To run more of them in each situation:
///
///     SIMULATION_FROM=1000 SIMULATION_SEEDS=500 swift test --filter OutageSimulationTests
@Suite struct OutageSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["SIMULATION_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["SIMULATION_SEEDS"].flatMap { UInt64($0) }

  @Test(arguments: OutageWorld.Situation.allCases)
  func `every way back from an outage ends in a client that plays`(
    situation: OutageWorld.Situation
  ) throws {
    var endings: [String: Int] = [:]
    for seed in Self.first..<Self.first + (Self.count ?? 8) {
      let world = try OutageWorld(situation, seed: seed)
      if let failure = try world.run() { Issue.record("seed \(seed): \(failure)") }
      endings[world.ending, default: 0] += 1
    }
    guard Self.count == nil else { return print("\(situation): \(endings)") }
    // Worlds in which nothing happens would pass as well.
    for ending in situation.endings {
      #expect(endings[ending, default: 0] > 0, "\(ending) did not happen")
    }
  }
}

extension OutageWorld.Situation {
  /// What some of the clients come back to.
  fileprivate var endings: [String] {
    switch self {
    case .nothing, .full, .shutdown, .killed, .emptied: ["works"]
    case .nameTaken: ["form", "end"]
    case .nameRegistered, .passwordChanged, .addressBanned, .nameBanned, .otherProtocol: ["form"]
    case .restored: ["works", "form"]
    }
  }
}
