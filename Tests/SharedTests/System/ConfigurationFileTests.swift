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
    ("a = 'b c' \"d\"", "a|'b c' \"d\""), ("a = b \"c\"", "a|b \"c\""),
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

  @Test(arguments: ["\"b\" c", "\"b\"c", "\"b\" \"c\" # d", "\"\" b", "\"b\" \"", "\"b\"#c"])
  func `a value is quoted as a whole or not at all`(value: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try pairs("a = \(value)") }
    #expect(error?.message.contains("follows the second quotation mark of the value of a.") == true)
  }

  @Test func `a key that stands twice is a mistake, unless it may be repeated`() {
    let text = Data("a = 1\n\nb = 2\na = 1\nb = 3\n a=4".utf8)
    var pairs: [String] = []
    let errors = file.forEachLine(of: text, repeatable: ["b"]) { key, value, _ in
      pairs.append("\(key)\(value)")
    }
    #expect(pairs == ["a1", "b2", "b3"])
    #expect(
      errors.map(\.message) == [
        "/c, line 4: a stands in line 1 too. Remove one of the two lines.",
        "/c, line 6: a stands in line 4 too. Remove one of the two lines.",
      ])
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
}
