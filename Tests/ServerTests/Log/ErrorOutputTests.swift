import Testing

@testable import Server

@Suite struct ErrorOutputTests {
  private func text(
    _ sentence: String, _ level: ErrorOutput.Level, _ format: LogLine.Format = .text
  ) -> String {
    let output = ErrorOutput(options: Log.Options(format: format, isForJournal: true))
    return String(decoding: output.bytes(sentence, level), as: UTF8.self)
  }

  @Test(arguments: [
    (ErrorOutput.Level.info, "<5>The data is here.\n"), (.warning, "<4>The data is here.\n"),
    (.last, "<3>The data is here.\n"),
  ])
  func `a sentence for the journal has the priority of its level`(
    level: ErrorOutput.Level, line: String
  ) {
    #expect(text("The data is here.", level) == line)
  }

  @Test func `each line that follows a sentence is an entry of the journal`() {
    #expect(
      text("It is wrong. The lines:\n  appendonly yes\n  x 1", .last)
        == "<3>It is wrong. The lines:\n<3>  appendonly yes\n<3>  x 1\n")
    #expect(text("a\u{1b}b\n<0>c", .warning) == "<4>a\u{fffd}b\n<4><0>c\n")
  }

  @Test(arguments: [
    (ErrorOutput.Level.info, #""level":"info","event":"start""#),
    (.warning, #""level":"warning","event":"start""#),
    (.last, #""level":"error","event":"failed""#),
  ])
  func `with JSON the level is a field`(level: ErrorOutput.Level, fields: String) {
    let line = text("One.\nTwo.", level, .json)
    #expect(line.contains(fields) && line.hasSuffix(#""text":"One.\u000aTwo."}"# + "\n"), "\(line)")
  }
}
