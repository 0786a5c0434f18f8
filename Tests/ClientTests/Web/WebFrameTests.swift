import Shared
import TestSupport
import Testing

@testable import Client

/// The bytes of frames for the page. `Tests/Web/run` draws the golden ones in a browser.
@Suite struct WebFrameTests {
  private static let texts = [
    ("han", ["a日本b", "𠀀𠮷x", "１２ㅋ"]), ("hindi", ["नमस्ते", "हिन्दी x", "क्षत्रिय"]),
    ("thai", ["สวัสดีครับ", "กำลัง x", "น้ำใจ"]),
  ]

  @Test func `the width of a character that is uncertain is marked`() {
    var writer = FrameWriter(marksWidths: true)
    var frame = Frame(size: Size(rows: 1, columns: 12))
    _ = writer.bytes(for: frame)
    frame.write("a日e\u{301}b", at: Position(row: 0, column: 0))
    #expect(
      String(decoding: writer.bytes(for: frame), as: UTF8.self)
        == "\u{1B}[1;1Ha\u{1B}[2w日\u{1B}[1;4H\u{1B}[1we\u{301}\u{1B}[1;5Hb")
  }

  /// The second frame has each text one column to the right, so that it covers halves of the first.
  @Test(arguments: texts) func `wide characters`(name: String, lines: [String]) throws {
    var writer = FrameWriter(marksWidths: true)
    var bytes: [UInt8] = []
    var frame = Frame(size: Size(rows: 3, columns: 16))
    for column in 1...2 {
      frame = Frame(size: frame.size)
      for (row, line) in lines.enumerated() {
        frame.write(line, at: Position(row: row, column: column))
        frame.write("end", at: Position(row: row, column: 12), style: .bold)
      }
      bytes += writer.bytes(for: frame)
    }
    let cells = (0..<frame.size.rows).map { row in
      (0..<frame.size.columns).map { frame[row, $0].character.map { String($0) } ?? "" }
        .joined(separator: "|") + "\n"
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let mismatches = [
      try Golden.mismatch(of: text, with: "wide-\(name).web", shown: frame),
      try Golden.mismatch(of: cells.joined(), with: "wide-\(name).cells", shown: frame),
    ]
    #expect(mismatches.compactMap(\.self) == [])
  }
}
