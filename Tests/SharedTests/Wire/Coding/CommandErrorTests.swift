import Shared
import Testing

/// Each error of a line, and which one is sent if several apply.
struct CommandErrorTests {
  @Test(arguments: [
    "{", "{}}", "{} {}", "{}x", "{]", "{\"type\"}", "{\"type\":}", "{\"type\":\"ping\",}",
    "{,\"type\":\"ping\"}", "{\"type\" \"ping\"}", "{type:\"ping\"}", "{'type':'ping'}",
    "{\"type\":\"ping\"", "{\"type\":\"ping", "{\"type\":\"ping\\", "{\"a\":\"\\u00",
    "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}", "{\"a\":1e}", "{\"a\":-}",
    "{\"a\":--1}",
    "{\"a\":1e+}", "{\"a\":0x1}", "{\"a\":NaN}", "{\"a\":tru}", "{\"a\":True}", "{\"a\":nulll}",
    "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":[1 2]}", "{\"a\":[1}", "{\"a\":[1}]", "{\"a\":{\"b\"}}",
    "{\"a\":\"\t\"}", "{\"a\":\"\0\"}", "{\"a\":\"\u{1F}\"}", "{\0}", "{}\0", "{\u{A0}}",
    "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\U0041\"}", "{//\n}", "{/**/}",
    "{\"a\":\"\\ud800\"}", "{\"a\":\"\\ude00\"}", "{\"a\":\"\\ud800\\u0041\"}",
    "{\"a\":\"\\ud800\\ud800\"}", "{\"a\":\"\\ude00\\ud83d\"}", "{\"\\ud800x\":1}",
    "{\"a\":\"\\ud83d\\n\"}", "{\"id\":1,\"type\":\"ping\"]",
    "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":1}", "{\"type\":\"ping\",\"type\":\"ping\"}",
    "{\"type\":\"ping\",\"b\":{\"c\":{\"x\":1,\"y\":2,\"x\":3}}}", "{\"a\":[{\"b\":0,\"b\":0}]}",
    "{\"\":1,\"\":2}", "{\"\\ud83d\\ude00\":1,\"😀\":2}", "{\"\\/\":1,\"/\":2}",
    "{\"id\":null,\"id\":1,\"type\":\"ping\"}",
  ])
  func `a line that is not strict JSON is badJSON and has no id`(line: String) {
    #expect(refusal(line) == LineError(.badJSON))
  }

  @Test func `keys that only look alike are different keys`() throws {
    // For Swift, the keys of the second pair are equal strings.
    #expect(
      try decoded("{\"type\":\"ping\",\"A\":1,\"a\":2,\"\u{E9}\":1,\"e\u{301}\":2}")
        == Request(.ping))
  }

  @Test func `a repeated key is found among many keys`() throws {
    let keys = (0..<680).map { "\"k\($0)\":1" }
    let line = "{\"type\":\"ping\"," + keys.joined(separator: ",")
    #expect(try decoded(line + "}") == Request(.ping))
    #expect(refusal(line + ",\"\\u006B0\":1}") == LineError(.badJSON))
    #expect(refusal(line + ",\"type\":1}") == LineError(.badJSON))
    #expect(refusal("{\"x\":" + line + ",\"k679\":{}}}") == LineError(.badJSON))
  }

  @Test func `bytes that are not UTF-8 are badJSON`() throws {
    let bad: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ]
    for bytes in bad {
      #expect(
        refusal(Array("{\"type\":\"login\",\"name\":\"".utf8) + bytes + Array("\"}".utf8))
          == LineError(.badJSON))
      #expect(refusal(Array("{\"".utf8) + bytes) == LineError(.badJSON))
      #expect(refusal(Array("login ".utf8) + bytes + Array(" x".utf8)) == LineError(.badJSON))
      #expect(refusal(Array("nope ".utf8) + bytes) == LineError(.badJSON))
    }
    for name in ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10FFFF}"] {
      #expect(try decoded("login \(name)") == Request(.login(name: name, password: nil)))
      #expect(
        try decoded("{\"type\":\"login\",\"name\":\"\(name)\"}")
          == Request(.login(name: name, password: nil)))
    }
  }

  @Test func `16 levels are accepted and 17 are not`() throws {
    func nested(_ levels: Int, _ open: String, _ close: String) -> String {
      "{\"type\":\"ping\",\"a\":" + String(repeating: open, count: levels - 1) + "1"
        + String(repeating: close, count: levels - 1) + "}"
    }
    #expect(try decoded(nested(16, "[", "]")) == Request(.ping))
    #expect(refusal(nested(17, "[", "]")) == LineError(.badJSON))
    #expect(try decoded(nested(16, "{\"a\":", "}")) == Request(.ping))
    #expect(refusal(nested(17, "{\"a\":", "}")) == LineError(.badJSON))
    #expect(refusal("{\"a\":" + String(repeating: "[", count: 4000)) == LineError(.badJSON))
    #expect(
      try decoded("{\"type\":\"ping\",\"a\":[" + String(repeating: "[],", count: 1000) + "[]]}")
        == Request(.ping))
  }

  static let refused: [(String, LineError)] = [
    ("{}", LineError(.missingField, field: "type")),
    (#"{"type":null,"id":3}"#, LineError(.missingField, field: "type", id: .integer(3))),
    (#"{"id":"","row":"x"}"#, LineError(.missingField, field: "type")),
    (#"{"Type":"ping"}"#, LineError(.missingField, field: "type")),
    (#"{"type":5}"#, LineError(.badField, field: "type")),
    (#"{"type":5,"id":[]}"#, LineError(.badField, field: "id")),
    (#"{"type":["ping"],"id":"a"}"#, LineError(.badField, field: "type", id: .text("a"))),
    (#"{"type":"nope"}"#, LineError(.unknownType)),
    (#"{"type":"nope","id":""}"#, LineError(.unknownType)),
    (#"{"type":"nope","id":-4}"#, LineError(.unknownType, id: .integer(-4))),
    (#"{"type":""}"#, LineError(.unknownType)),
    (#"{"type":"Ping"}"#, LineError(.unknownType)),
    (#"{"type":"ping "}"#, LineError(.unknownType)),
    (#"{"type":"ping\u0000"}"#, LineError(.unknownType)),
    (#"{"type":"pin"}"#, LineError(.unknownType)),
    (#"{"type":"passwords"}"#, LineError(.unknownType)),
    (#"{"type":"place"}"#, LineError(.missingField, field: "row")),
    (#"{"type":"place","row":"x"}"#, LineError(.missingField, field: "col")),
    (#"{"type":"place","row":1,"col":null}"#, LineError(.missingField, field: "col")),
    (
      #"{"type":"place","id":9,"seq":-1,"col":1}"#,
      LineError(.missingField, field: "row", id: .integer(9))
    ),
    (#"{"type":"place","id":true,"row":1}"#, LineError(.missingField, field: "col")),
    (#"{"type":"place","row":1,"col":1,"id":true}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":""}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":1.0}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":1e2}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":9007199254740992}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":-9007199254740992}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":[]}"#, LineError(.badField, field: "id")),
    (#"{"type":"ping","id":{"id":1}}"#, LineError(.badField, field: "id")),
    (
      #"{"type":"ping","id":"123456789012345678901234567890123"}"#,
      LineError(.badField, field: "id")
    ),
    (#"{"type":"place","row":"1","col":1}"#, LineError(.badField, field: "row")),
    (
      #"{"type":"place","row":1,"col":1.0,"id":7}"#,
      LineError(.badField, field: "col", id: .integer(7))
    ),
    (#"{"type":"place","row":1E0,"col":1}"#, LineError(.badField, field: "row")),
    (#"{"type":"place","row":1,"col":99999999999999999999}"#, LineError(.badField, field: "col")),
    (
      #"{"type":"place","row":1,"col":-18446744073709551617}"#,
      LineError(.badField, field: "col")
    ),
    (#"{"type":"place","row":true,"col":1}"#, LineError(.badField, field: "row")),
    (#"{"type":"place","row":1,"col":1,"seq":-1}"#, LineError(.badField, field: "seq")),
    (#"{"type":"place","row":1,"col":1,"seq":"2"}"#, LineError(.badField, field: "seq")),
    (#"{"type":"login","name":5}"#, LineError(.badField, field: "name")),
    (#"{"type":"login","name":"a","password":1}"#, LineError(.badField, field: "password")),
    (#"{"type":"login","name":{}}"#, LineError(.badField, field: "name")),
    (#"{"type":"start","opponent":false}"#, LineError(.badField, field: "opponent")),
    (#"{"type":"start","game":3}"#, LineError(.badField, field: "game")),
    (#"{"type":"list","what":"Players"}"#, LineError(.badField, field: "what")),
    (#"{"type":"list","what":""}"#, LineError(.badField, field: "what")),
    (#"{"type":"list","what":0}"#, LineError(.badField, field: "what")),
    (#"{"type":"resume","seq":-1}"#, LineError(.missingField, field: "token")),
    (#"{"type":"resume","token":"t","seq":-1}"#, LineError(.badField, field: "seq")),
    (#"{"type":"resume","token":1}"#, LineError(.badField, field: "token")),
    (#"{"type":"sync","seq":-1}"#, LineError(.badField, field: "seq")),
    (#"{"type":"watch"}"#, LineError(.missingField, field: "match")),
    (#"{"type":"watch","match":7}"#, LineError(.badField, field: "match")),
    (#"{"type":"say","text":7}"#, LineError(.badField, field: "text")),
    (#"{"type":"help","command":"nope"}"#, LineError(.badField, field: "command")),
    (#"{"type":"help","command":["place"]}"#, LineError(.badField, field: "command")),
  ]

  @Test(arguments: refused)
  func `the first error that applies is sent, with its field and a valid id`(
    line: String, error: LineError
  ) {
    #expect(refusal(line) == error)
  }

  @Test func `a chat message has 1 to 200 characters, none of them a control character`() throws {
    let longest = String(repeating: "é", count: 200)
    for text in ["x", " ", "\u{202E}", "'\"", longest] {
      #expect(try decoded(line(.say(text))) == Request(.say(text)))
    }
    for text in ["", longest + "x", "a\tb", "\0", "\u{7F}", "\u{9F}x"] {
      #expect(refusal(line(.say(text))) == LineError(.badField, field: "text"))
    }
    #expect(refusal("say") == LineError(.missingField, field: "text"))
    #expect(refusal("say \t ") == LineError(.missingField, field: "text"))
    #expect(refusal("say a\tb") == LineError(.badField, field: "text"))
    #expect(refusal("say \(longest)x") == LineError(.badField, field: "text"))
  }

  @Test(arguments: [
    ("place 1", "col is missing. Type: help place"),
    ("place x 1", "row must be a whole number, or a cell such as b2, not “x”. Type: help place"),
    ("place 1 1 -1", "seq must be a whole number, at least 0, not “-1”. Type: help place"),
    (
      "help foo",
      "command must be one of: "
        + CommandType.allCases.map(\.rawValue).joined(separator: ", ") + ", board, not “foo”."
    ),
    ("list all", "what must be one of: players, matches, games, not “all”. Type: help list"),
    (
      "login ann b c",
      "There is one word too many. Put a value with spaces in double quotes. Type: help login"
    ),
    (#"login a"b"#, "name must be a string, with double quotes only around it. Type: help login"),
    (
      "say " + String(repeating: "x", count: 201),
      "text must have 1 to 200 characters, none of them a control character. Type: help say"
    ),
    (
      #"{"type":"ping","id":""}"#,
      "id must be an integer or a string of 1 to 32 characters."
    ),
    (
      "register 1234567",
      "password must have 8 to 128 characters, none of them a control character."
        + " Type: help register"
    ),
    (#"{"type":"join"}"#, "code is missing. Type: help join"),
    (#"{"type":"enlist"}"#, "There is no command “enlist”. To see all commands, type: help"),
  ])
  func `the message of an error states the allowed values`(line: String, message: String) {
    #expect(refusal(line)?.message == message)
  }
}
