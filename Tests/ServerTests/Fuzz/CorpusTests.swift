import Foundation
import TestSupport
import Testing

/// Runs the inputs that fuzzing has found; see docs/reliability.md.
@Suite struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/Corpus")

  @Test func `the server withstands every input of the corpus`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder, includingPropertiesForKeys: nil)
    #expect(files.count > 50)
    for file in files {
      let input = [UInt8](try Data(contentsOf: file))
      #expect(FuzzTarget.fault(of: input.span) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `the server withstands random inputs`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let count = Int.random(in: 2...200, using: &random)
      let input = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(FuzzTarget.fault(of: input.span) == nil, "\(input)")
    }
  }
}
