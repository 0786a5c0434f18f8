import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// Heads and frames that are nearly right, cut and joined in every way: the readers find the same
/// in them however they arrive, and nothing stops them.
@Suite struct WebFuzzTests {
  private static let messages = [
    "h24 80  /", "h24 80 secret /join/abc token Ann Marie", "r40 100", "kEnter", "ta", "phello",
    "m3 4", "a", "i",
  ]

  private func conversation(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(WebFuzzTarget.handshake.utf8)
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let text = Self.messages.randomElement(using: &random) ?? ""
      let opcode = [UInt8](arrayLiteral: 1, 1, 1, 1, 0, 2, 8, 9, 10).randomElement(using: &random)
      let repeated = String(
        repeating: text, count: [1, 1, 1, 40].randomElement(using: &random) ?? 1)
      bytes += WebFuzzTarget.frame(
        opcode ?? 1, Array(repeated.utf8), isLast: Int.random(in: 0..<5, using: &random) > 0)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  @Test(arguments: 1...4)
  func `what arrives in parts means the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var kinds: Set<String> = []
    for _ in 0..<150 {
      let bytes = conversation(&random)
      let whole = WebFuzzTarget.found(in: bytes)
      let parts = (0..<bytes.count).map { _ in Int.random(in: 1...40, using: &random) }
      #expect(WebFuzzTarget.found(in: bytes, parts: parts) == whole, "\(bytes)")
      #expect(WebFuzzTarget.found(in: bytes, parts: bytes.map { _ in 1 }) == whole, "\(bytes)")
      for item in whole { kinds.insert("\(item)".prefix { $0 != "(" }.description) }
    }
    // Conversations in which nothing happens would pass as well.
    #expect(kinds == ["request", "status", "input", "other", "error"])
  }

  /// Requests of Chromium and curl, and what fuzzing has found.
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/Web")

  @Test(arguments: ["Requests", "Corpus"])
  func `the page withstands every input of a folder`(name: String) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appendingPathComponent(name), includingPropertiesForKeys: nil)
    #expect(files.count > 10)
    for file in files {
      let input = [UInt8](try Data(contentsOf: file))
      #expect(WebFuzzTarget.fault(of: input.span) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test func `the fuzzer's tab plays games, and comes back to them`() {
    let begin = "h24 80  /start/bot/gomoku/easy\0tann\0kEnter\u{1}"
    #expect(FuzzedPage.answer(to: begin + "kEnter\u{1}").contains("Last move: O"))
    #expect(FuzzedPage.answer(to: begin + "kEnter\u{1}i\u{3}").contains("Last move: O"))
    #expect(FuzzedPage.answer(to: begin + "i\u{2}\u{3}").contains("Your name"))
  }
}
