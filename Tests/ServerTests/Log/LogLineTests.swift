import Foundation
import Testing

@testable import Server

@Suite struct LogLineTests {
  private let fields: LogFields = [
    "connection": .number(12), "session": .text("Zoë \"Z\""), "seq": .number(nil),
    "match": .text(nil), "from": .text("[::1]:50000"), "text": .words(#"{"a":"b"}"#),
  ]

  private func line(_ format: LogLine.Format, _ fields: LogFields) -> String {
    let time = Date(timeIntervalSince1970: 1_800_000_000.125)
    let line = LogLine(time: time, level: .info, event: "happened", fields: fields)
    return String(decoding: line.bytes(as: format), as: UTF8.self)
  }

  @Test func `a line of text has its time, level, event and fields`() {
    #expect(
      line(.text, fields)
        == #"2027-01-15T08:00:00.125Z info happened connection=12 session="Zoë \"Z\"""#
        + #" from=[::1]:50000: {"a":"b"}"# + "\n")
    #expect(line(.text, [:]) == "2027-01-15T08:00:00.125Z info happened\n")
  }

  @Test func `a line of JSON is an object with the same fields`() throws {
    let line = line(.json, fields)
    #expect(
      try JSON(line) == [
        "time": "2027-01-15T08:00:00.125Z", "level": "info", "event": "happened",
        "connection": 12, "session": "Zoë \"Z\"", "from": "[::1]:50000", "text": #"{"a":"b"}"#,
      ])
    #expect(line.hasSuffix("}\n"))
    let start = #"{"time":"2027-01-15T08:00:00.125Z","level":"info","event":"happened""#
    #expect(line.hasPrefix(start))
  }

  @Test(arguments: LogLine.Format.allCases)
  func `a text cannot control a terminal or make a second line`(format: LogLine.Format) {
    let evil = "a\u{1B}[2J\n\r\u{7F}\u{85}\u{9B}b"
    let line = line(format, ["session": .text(evil), "text": .words(evil)])
    #expect(line.unicodeScalars.filter { $0.properties.generalCategory == .control } == ["\n"])
    #expect(line.last == "\n")
  }

  @Test func `escaped characters are visible`() {
    let line = line(
      .text, ["one": .text("\u{202E}x"), "two": .text("a\\ b"), "text": .words("\u{1B}\u{2028}")])
    #expect(line.hasSuffix(#" one="\u{202e}x" two="a\\ b": \u{1b}\u{2028}"# + "\n"))
  }

  @Test func `an empty text is quoted`() {
    #expect(line(.text, ["session": .text("")]).hasSuffix(#" session="""# + "\n"))
  }
}
