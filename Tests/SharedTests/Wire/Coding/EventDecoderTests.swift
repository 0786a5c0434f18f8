import Shared
import Testing

/// How a client decodes lines that the project's own encoder would not write.
struct EventDecoderTests {
  @Test func `an unknown code of a newer server keeps its message`() throws {
    #expect(
      try received(#"{"type":"error","code":"tooLate","message":"Too late."}"#).event
        == .error(.internal, message: "Too late."))
    #expect(
      try received(#"{"type":"bye","code":"moved","message":"Elsewhere."}"#).event
        == .bye(.shutdown, message: "Elsewhere."))
  }

  @Test func `an unknown type keeps its match and seq`() throws {
    #expect(
      try received(#"{"type":"didSing","re":4,"match":"7q2k","seq":12,"from":"ann","text":"hi"}"#)
        == ReceivedEvent(re: .integer(4), .unknown(match: "7q2k", seq: 12)))
    #expect(try received(#"{"type":"new"}"#).event == .unknown(match: nil, seq: nil))
    #expect(
      try received(#"{"type":"new","match":{},"seq":"x"}"#).event
        == .unknown(match: nil, seq: nil))
  }

  @Test func `unknown fields are ignored and the order is free`() throws {
    let line =
      #" {"hash":"afa687df","turn":"O","right":[5],"cells":[{"mark":"X","z":null,"col":1,"row":1}],"seq":2,"match":"7q2k","type":"boardDidChange"} "#
    let change = Change(
      Placement(cell: Cell(row: 1, column: 1), mark: .x), turn: .o, hash: 0xafa6_87df)
    #expect(
      try received(line).event
        == .match(MatchEvent(match: "7q2k", seq: 2, .boardDidChange(change))))
  }

  static let change = #"{"type":"boardDidChange","match":"m","seq":2,"cells":[],"hash":"0000000a"}"#

  static let refused: [(String, LineError)] = [
    ("", LineError(.badJSON)),
    ("pong", LineError(.badJSON)),
    (#"{"type":"pong"}{}"#, LineError(.badJSON)),
    (#"{"type":"pong","x":1,"x":1}"#, LineError(.badJSON)),
    ("{}", LineError(.missingField, field: "type")),
    (#"{"type":7}"#, LineError(.badField, field: "type")),
    (#"{"type":"pong","re":[]}"#, LineError(.badField, field: "re")),
    (
      #"{"type":"hello","protocol":1,"server":"s","games":[],"limits":{"line":9,"idle":-1},"help":""}"#,
      LineError(.badField, field: "idle")
    ),
    (
      #"{"type":"hello","protocol":1,"server":"s","games":[],"limits":{"line":9,"burst":"9"},"help":""}"#,
      LineError(.badField, field: "burst")
    ),
    (#"{"type":"didLogin"}"#, LineError(.missingField, field: "name")),
    (#"{"type":"didLogin","name":5}"#, LineError(.badField, field: "name")),
    (change, LineError(.badField, field: "cells")),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0,"mark":"x"}]"#),
      LineError(.badField, field: "mark")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0}]"#),
      LineError(.missingField, field: "mark")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0,"mark":"X"},1]"#),
      LineError(.badField, field: "cells")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0,"mark":"X"}]"#)
        .replacing("0000000a", with: "0000000A"), LineError(.badField, field: "hash")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0,"mark":"X"}]"#)
        .replacing("0000000a", with: "+000000a"), LineError(.badField, field: "hash")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0,"mark":"X"}]"#)
        .replacing("0000000a", with: "000000a"), LineError(.badField, field: "hash")
    ),
    (
      #"{"type":"gameDidEnd","match":"m","seq":1,"result":"win","reason":"line","score":{"X":0,"O":0,"draws":0}}"#,
      LineError(.badField, field: "result")
    ),
    (
      #"{"type":"gameDidEnd","match":"m","seq":1,"result":"draw","reason":"bored","score":{"X":0,"O":0,"draws":0}}"#,
      LineError(.badField, field: "reason")
    ),
    (
      #"{"type":"gameDidEnd","match":"m","seq":1,"result":"draw","reason":"full","line":[[1]],"score":{"X":0,"O":0,"draws":0}}"#,
      LineError(.badField, field: "line")
    ),
    (
      #"{"type":"gameDidEnd","match":"m","seq":1,"result":"draw","reason":"full","score":{"X":0,"O":0}}"#,
      LineError(.missingField, field: "draws")
    ),
    (
      #"{"type":"gameDidStart","match":"m","seq":1,"game":"g","players":{"X":"a","O":"b"},"rows":20,"cols":3,"inARow":3,"board":[],"score":{"X":0,"O":0,"draws":0}}"#,
      LineError(.badField, field: "rows")
    ),
    (
      #"{"type":"gameDidStart","match":"m","seq":1,"game":"g","players":{"X":"a","O":"b"},"rows":1,"cols":3,"inARow":3,"board":["..x"],"score":{"X":0,"O":0,"draws":0}}"#,
      LineError(.badField, field: "board")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":0,"mark":"X"}],"left":-1"#),
      LineError(.badField, field: "left")
    ),
    (
      #"{"type":"presenceDidChange","match":"m","seq":1,"mark":"X","online":1}"#,
      LineError(.badField, field: "online")
    ),
    (
      #"{"type":"presenceDidChange","match":"m","seq":1,"online":true}"#,
      LineError(.missingField, field: "mark")
    ),
    (#"{"type":"didSay","match":"m","seq":1,"from":"a"}"#, LineError(.missingField, field: "text")),
    (#"{"type":"didLogin","name":"a","place":"here"}"#, LineError(.badField, field: "place")),
    (#"{"type":"error","code":1,"message":"m"}"#, LineError(.badField, field: "code")),
    (#"{"type":"players","items":{}}"#, LineError(.badField, field: "items")),
    (#"{"type":"players","items":[],"more":-1}"#, LineError(.badField, field: "more")),
    (
      #"{"type":"players","items":[{"name":"a","place":"here"}]}"#,
      LineError(.badField, field: "place")
    ),
  ]

  @Test(arguments: refused)
  func `a line that no server writes is refused with its field`(line: String, error: LineError) {
    #expect(throws: error) { try received(line) }
  }
}
