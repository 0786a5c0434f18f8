import Shared
import Testing

/// The shorthand for people, where it differs from JSON.
struct WordTokenizerTests {
  static let read: [(String, Command)] = [
    ("login\tann  x", .login(name: "ann", password: "x")),
    ("login \"\"", .login(name: nil, password: nil)),
    ("login \"a b\" \"\"", .login(name: "a b", password: nil)),
    ("login \"a\tb\"", .login(name: "a\tb", password: nil)),
    (#"login \u0061"#, .login(name: #"\u0061"#, password: nil)),
    (#"login "a\""#, .login(name: #"a\"#, password: nil)),
    (#"login "{}""#, .login(name: "{}", password: nil)),
    ("login 'a", .login(name: "'a", password: nil)),
    ("login a\rb", .login(name: "a\rb", password: nil)),
    ("login a\0b", .login(name: "a\0b", password: nil)),
    ("login null", .login(name: "null", password: nil)),
    ("place 1 -0", .place(Cell(row: 1, column: 0), seq: nil)),
    ("place \"1\" 2 \"\"", .place(Cell(row: 1, column: 2), seq: nil)),
    ("place 1 2 3", .place(Cell(row: 1, column: 2), seq: 3)),
    ("list \"\"", .list(.players)),
    ("\"login\" ann", .login(name: "ann", password: nil)),
  ]

  @Test(arguments: read)
  func `words are decoded`(line: String, command: Command) throws {
    #expect(try decoded(line) == Request(command))
  }

  static let refused: [(String, LineError)] = [
    ("nope", LineError(.unknownType)),
    ("p\u{131}ng", LineError(.unknownType)),
    ("pin", LineError(.unknownType)),
    ("[1]", LineError(.unknownType)),
    ("\u{FEFF}{\"type\":\"ping\"}", LineError(.unknownType)),
    ("\"type\":\"ping\"", LineError(.unknownType)),
    ("pi\"ng", LineError(.unknownType)),
    ("\"ping", LineError(.unknownType)),
    ("nope \"", LineError(.unknownType)),
    ("\"\" ann", LineError(.missingField, field: "type")),
    ("place", LineError(.missingField, field: "row")),
    ("place x", LineError(.missingField, field: "col")),
    ("place \"\" 1", LineError(.missingField, field: "row")),
    ("place 1 \"\" 2", LineError(.missingField, field: "col")),
    ("place 1\"", LineError(.missingField, field: "col")),
    ("place 01 1", LineError(.badField, field: "row")),
    ("place +1 1", LineError(.badField, field: "row")),
    ("place 1 1.0", LineError(.badField, field: "col")),
    ("place 1 1e0", LineError(.badField, field: "col")),
    ("place 1 9007199254740992", LineError(.badField, field: "col")),
    ("place one 1", LineError(.badField, field: "row")),
    ("place 1, 1", LineError(.badField, field: "row")),
    ("place - 1", LineError(.badField, field: "row")),
    ("place \"1 \" 1", LineError(.badField, field: "row")),
    ("place null 1", LineError(.badField, field: "row")),
    ("place 1 1 -1", LineError(.badField, field: "seq")),
    ("place 1 1 2 3", LineError(.badField)),
    ("place 1 x 2 3", LineError(.badField, field: "col")),
    ("ping now", LineError(.badField)),
    ("ping \"\"", LineError(.badField)),
    ("login a b c", LineError(.badField)),
    ("login a b \"", LineError(.badField)),
    ("login \"ann", LineError(.badField, field: "name")),
    ("login \"", LineError(.badField, field: "name")),
    ("login \"\"\"", LineError(.badField, field: "name")),
    ("login an\"n\"", LineError(.badField, field: "name")),
    ("login \"an\"n", LineError(.badField, field: "name")),
    ("login \"a\"\"b\"", LineError(.badField, field: "name")),
    ("login ann b\"c", LineError(.badField, field: "password")),
    ("list nobody", LineError(.badField, field: "what")),
    ("help nope", LineError(.badField, field: "command")),
  ]

  @Test(arguments: refused)
  func `words that are not a command are refused`(line: String, error: LineError) {
    #expect(refusal(line) == error)
  }
}
