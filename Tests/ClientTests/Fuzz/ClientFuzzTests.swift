import Foundation
import Testing

@testable import Client

/// Sessions with mutated server lines, one for each seed; see docs/reliability.md. To run more:
///
///     CLIENT_FUZZ_FROM=1000 CLIENT_FUZZ_SEEDS=5000 swift test --filter ClientFuzzTests
@Suite struct ClientFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let first = environment["CLIENT_FUZZ_FROM"].flatMap { UInt64($0) } ?? 1
  private static let count = environment["CLIENT_FUZZ_SEEDS"].flatMap { UInt64($0) }

  @Test(arguments: [InterfaceMode.fullScreen, .plain])
  func `the client survives whatever a server sends`(mode: InterfaceMode) throws {
    let transcripts = try Transcripts.load()
    var coverage: Set<FuzzedClient.Coverage> = []
    for seed in Self.first..<Self.first + (Self.count ?? 60) {
      // If the process crashes, the last of these lines names the seed.
      if Self.count != nil { print("seed \(seed), \(mode)") }
      let fault = FuzzedClient.fault(seed: seed, mode, transcripts, coverage: &coverage)
      guard let fault else { continue }
      Issue.record("\(fault) CLIENT_FUZZ_FROM=\(seed) CLIENT_FUZZ_SEEDS=1 (\(mode))")
    }
    let missing = Set(FuzzedClient.Coverage.allCases).subtracting(coverage)
    if Self.count == nil { #expect(missing == []) }
  }
}
