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
    return String(decoding: line.bytes(for: Log.Options(format: format)), as: UTF8.self)
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

  @Test func `at a terminal that is not in UTF-8, lines are ASCII`() {
    let line = LogLine(
      time: Date(timeIntervalSince1970: 0), level: .info, event: "login",
      fields: ["session": .text("한"), "text": .words("“a” – b…")])
    let shown = String(decoding: line.bytes(for: Log.Options(isASCII: true)), as: UTF8.self)
    #expect(shown.hasSuffix(##"info login session="\u{d55c}": "a" - b."## + "\n"))
  }

  @Test func `an empty text is quoted`() {
    #expect(line(.text, ["session": .text("")]).hasSuffix(#" session="""# + "\n"))
  }

  @Test func `lines for the journal have a priority, and no time of their own in text`() throws {
    func line(_ level: Log.Level, _ format: LogLine.Format, isLast: Bool = false) -> String {
      let line = LogLine(
        time: Date(timeIntervalSince1970: 0), level: level, event: "diskFull",
        fields: ["n": .number(1)], isLast: isLast)
      let options = Log.Options(format: format, isForJournal: true)
      return String(decoding: line.bytes(for: options), as: UTF8.self)
    }
    #expect(line(.warning, .text) == "<4>warning diskFull n=1\n")
    #expect(line(.info, .text) == "<6>info diskFull n=1\n")
    #expect(line(.debug, .text).hasPrefix("<7>debug "))
    #expect(line(.warning, .text, isLast: true) == "<3>error diskFull n=1\n")
    #expect(line(.info, .json).hasPrefix(#"<6>{"time":"1970-01-01T00:00:00"#))
  }

  @Test func `the journal is the one that the service manager names, and nothing else`() throws {
    var status = stat()
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
    try #require(fstat(file.fileDescriptor, &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    func isJournal(_ environment: [String: String]) -> Bool {
      Log.Options.isJournal(file.fileDescriptor, environment)
    }
    #expect(isJournal(["JOURNAL_STREAM": stream]))
    for other in ["", "1", "\(status.st_dev):0", "0:\(status.st_ino)"] {
      #expect(!isJournal(["JOURNAL_STREAM": other]))
    }
    #expect(!isJournal([:]))
  }

  @Test func `the format of the last words is found in a command line that is wrong`() {
    func format(_ arguments: String..., variables: [String: String] = [:]) -> LogLine.Format {
      Log.Options(["--config", "none"] + arguments, variables).format
    }
    #expect(format("--log-format", "json", "--nonsense") == .json)
    #expect(format("--port", "x", "--log-format=json") == .json)
    #expect(format(variables: ["TICTACTOE_LOG_FORMAT": "json"]) == .json)
    #expect(format("--log-format", "text", variables: ["TICTACTOE_LOG_FORMAT": "json"]) == .text)
    #expect(format("--nonsense") == .text)
  }
}
