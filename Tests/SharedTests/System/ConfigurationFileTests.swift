import Foundation
import Shared
import Testing

@Suite struct ConfigurationFileTests {
  private let file = ConfigurationFile(path: "/c", example: "a = b")

  private func pairs(_ text: String) throws -> [String] {
    var pairs: [String] = []
    let errors = file.forEachLine(of: Data(text.utf8)) { key, value, _ in
      pairs.append("\(key)|\(value)")
    }
    if let first = errors.first { throw first }
    return pairs
  }

  @Test(arguments: [
    ("a = b", "a|b"), ("  a=b c  ", "a|b c"), ("a = b # c", "a|b"), ("a = b#c", "a|b#c"),
    ("a =", "a|"), ("a = b = c", "a|b = c"),
    ("a = \" b # c \"", "a| b # c "), ("a = \"b\" # c", "a|b"), ("a = \"\"", "a|"),
    ("a = \"# = #\"", "a|# = #"),
    // A command for a shell.
    ("a = \"b c\" \"d\"", "a|\"b c\" \"d\""), ("a = b \"c\"", "a|b \"c\""),
  ])
  func `a value stands between the equals sign and a comment, or in quotation marks`(
    line: String, pair: String
  ) throws {
    #expect(try pairs(line) == [pair])
  }

  @Test func `a quotation mark that is not closed is a mistake`() {
    let message = "/c, line 2: The value of a has no second quotation mark."
    #expect(throws: ConfigurationError(message: message)) { try pairs("\na = \"b # c") }
  }

  @Test func `each line with a mistake has its error`() {
    let errors = file.forEachLine(of: Data("a\nb = 1\nc = 2".utf8)) {
      (key, _, _) throws(UsageError) in
      if key == "c" { throw UsageError("No c.") }
    }
    #expect(
      errors.map(\.message) == [
        "/c, line 1: “a” has no “=”. Write, for example: a = b", "/c, line 3: No c.",
      ])
  }

  @Test(arguments: [
    ("max-match", "max-matches"), ("maxmatches", "max-matches"), ("prot", "port"), ("", "port"),
    ("Drain", "drain"), ("drain", "drain"),
  ])
  func `the nearest word needs the fewest changes`(text: String, word: String) {
    #expect(text.nearest(of: ["port", "max-matches", "drain"]) == word)
    #expect(text.nearest(of: []) == nil)
  }
}
