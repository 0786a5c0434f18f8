import Testing

@testable import Client

/// Lines that are broken between words at the width of a terminal.
@Suite struct StringBrokenTests {
  @Test func `a line that fits stays as it is`() {
    for text in ["", " ", "one", "one two ", "  1 | 2 | 3\n---+---"] {
      #expect(text.brokenAtWords(to: 12) == text)
    }
  }

  @Test func `a longer line is broken between words`() {
    #expect("one two three four".brokenAtWords(to: 9) == "one two\nthree\nfour")
    #expect("one two three four".brokenAtWords(to: 13) == "one two three\nfour")
    #expect("one two\nthree four five".brokenAtWords(to: 10) == "one two\nthree four\nfive")
  }

  @Test func `a word that is longer than a line stays whole`() {
    #expect("see http://example.org/1 now".brokenAtWords(to: 8) == "see\nhttp://example.org/1\nnow")
    #expect("http://example.org/1".brokenAtWords(to: 8) == "http://example.org/1")
  }

  @Test func `the space at the end of a question stays`() {
    #expect("put X on (1 to 9): ".brokenAtWords(to: 10) == "put X on\n(1 to 9): ")
    #expect("one two: ".brokenAtWords(to: 8) == "one two: ")
  }

  @Test func `the rest of a line begins below its text`() {
    #expect("  one two three".brokenAtWords(to: 9) == "  one two\n  three")
    #expect("go   away from here now".brokenAtWords(to: 15) == "go   away from\n     here now")
  }

  @Test func `a wide character takes two columns`() {
    #expect("日本 日本 日本".brokenAtWords(to: 9) == "日本 日本\n日本")
    #expect("日本 日本 日本".brokenAtWords(to: 8) == "日本\n日本\n日本")
  }

  @Test func `text and questions are broken at a terminal only`() {
    for columns in [nil, 12] {
      let terminal = TestTerminal(isInteractive: columns == nil, columns: columns)
      terminal.console.say("one two three four")
      terminal.console.ask("put X on (1 to 9): ")
      #expect(
        terminal.takeOutput()
          == (columns == nil
            ? "one two three four\nput X on (1 to 9): "
            : "one two\nthree four\nput X on (1\nto 9): "))
    }
  }
}
