import Foundation
import Shared
import TestSupport
import Testing

/// Thousands of lines from a seed, most of them nearly valid.
struct MutationTests {
  /// Pieces that have broken JSON parsers.
  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\ud83d\\ude00",
      "\\u0000", "\\u0061", "\\/", "\\\"", "\"a\":1,", "\"\\u0061\":2,", "\"type\":\"ping\",",
      "\"x\":{\"a\":[]},", "\"y\":[1,{}],", "\"\":null,", "null", "true", "false", "tru", "NaN",
      "0", "-", "-0", "01", "1.5", "1.", ".5", "1e9", "1E-999", "1e999", "1e", "+1",
      "9007199254740991", "9007199254740992", "-99999999999999999999999999", " ", "\t", "\r",
      "é", "e\u{301}", "😀", "\u{FEFF}", "\u{85}", "\u{7F}", "\u{2028}", "//", "/**/", "'",
      String(repeating: "[", count: 15), String(repeating: "]", count: 15),
      String(repeating: "{\"a\":", count: 15), String(repeating: "}", count: 15),
    ].map { Array($0.utf8) } + [
      [0], [1], [0x1F], [0x80], [0xC2], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xEF, 0xBB, 0xBF], [0xFF], [0xFE, 0xFF],
    ]

  private static let values: [[UInt8]] = [
    "1", "-0.5e+3", "1e999", "\"\\ud83d\\ude00\"", "\"é\\n\"", "[]", "[[],{}]", "{}", "null",
    "{\"a\":{\"a\":[0]}}", "true", "[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]",
    "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
  ].map { Array($0.utf8) }

  private static func mutate(
    _ line: [UInt8], among lines: [[UInt8]], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var line = line
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...line.count, using: &random)
      let end = min(line.count, place + Int.random(in: 1...4, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where place < line.count:
        line[place] = UInt8.random(in: 0...255, using: &random)
      case 1:
        line.removeSubrange(place..<end)
      case 2:
        line.insert(contentsOf: line[place..<end], at: place)
      case 3:
        let other = lines.randomElement(using: &random) ?? []
        line.replaceSubrange(place..., with: other.suffix(max(1, line.count - place)))
      case 4, 5:
        // One more field: the line stays valid unless the key is a duplicate or the value is too
        // deep.
        let key = Int.random(in: 0..<40, using: &random)
        let value = values.randomElement(using: &random) ?? []
        let member = Array((key < 30 ? "\"k\(key)\":" : "\"\\u006B\(key - 20)\":").utf8) + value
        line.insert(contentsOf: member + [UInt8(ascii: ",")], at: min(1, line.count))
      default:
        line.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
      }
    }
    return line
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a command is badJSON if Foundation and the stricter rules say so`(seed: UInt64) throws {
    let oracle = try JSONOracle()
    let lines = CommandCodecTests.golden.map { Array($0.json.utf8) }
    var random = SeededGenerator(seed: seed)
    let decoder = CommandDecoder()
    var verdicts = (good: 0, bad: 0)
    for _ in 0..<3000 {
      let base = lines.randomElement(using: &random) ?? []
      let line = Self.mutate(base, among: lines, &random)
      let trimmed = Array(line.trimmingPrefix(while: Self.isBlank))
      let isGood =
        trimmed.first == UInt8(ascii: "{")
        ? oracle.accepts(trimmed) : String(validating: line, as: UTF8.self) != nil
      var code: ErrorCode?
      do { _ = try decoder.decode(line.span) } catch { code = error.code }
      #expect((code == .badJSON) == !isGood, "\(String(decoding: line, as: UTF8.self)) \(line)")
      if isGood { verdicts.good += 1 } else { verdicts.bad += 1 }
    }
    // Both results occur often.
    #expect(verdicts.good > 600 && verdicts.bad > 600, "\(verdicts)")
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `a decoded event is encoded the same, and a bad one is badJSON`(
    seed: UInt64
  ) throws {
    let oracle = try JSONOracle()
    let lines = try EventCodecTests.golden().map { Array($0.0.utf8) }
    var random = SeededGenerator(seed: seed)
    var decoder = EventDecoder()
    var verdicts = (read: 0, refused: 0, bad: 0)
    for _ in 0..<2000 {
      let base = lines.randomElement(using: &random) ?? []
      let line = Self.mutate(base, among: lines, &random)
      let isGood = oracle.accepts(line)
      do {
        let read = try decoder.decode(line.span)
        #expect(isGood, "\(String(decoding: line, as: UTF8.self)) \(line)")
        verdicts.read += 1
        if case .unknown = read.event { continue }
        var again: [UInt8] = []
        EventEncoder.append(read.event, re: read.re, to: &again)
        again.removeLast()
        let readAgain = try decoder.decode(again.span)
        #expect(readAgain == read)
      } catch {
        #expect((error.code == .badJSON) == !isGood, "\(String(decoding: line, as: UTF8.self))")
        if isGood { verdicts.refused += 1 } else { verdicts.bad += 1 }
      }
    }
    #expect(verdicts.read > 300 && verdicts.refused > 50 && verdicts.bad > 300, "\(verdicts)")
  }

  @Test func `the oracle checks the rules that Foundation does not`() throws {
    let oracle = try JSONOracle()
    for good in [
      "{}", "{\"a\":1e999}", "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"a\":\"\\ud83d\\ude00\"}",
    ] {
      #expect(oracle.accepts(Array(good.utf8)), "\(good)")
    }
    let bad = [
      "{\"a\":1,\"\\u0061\":2}", "{\"a\":\"\\ud83d\"}", "{\0}", "{\"a\":01}", "{\"a\":1,}",
      "{\"a\":\"\u{1}\"}", "{}{}",
      "{\"a\":" + String(repeating: "[", count: 16)
        + String(repeating: "]", count: 16) + "}",
    ]
    for bad in bad { #expect(!oracle.accepts(Array(bad.utf8)), "\(bad)") }
  }
}
