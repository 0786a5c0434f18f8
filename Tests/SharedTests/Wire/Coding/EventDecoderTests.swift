import Shared
import Testing

/// How a client decodes lines that the project's own encoder would not write.
struct EventDecoderTests {
  @Test func `an unknown code of a newer server keeps its message`() throws {
    #expect(
      try received(#"{"type":"error","code":"tooLate","message":"Too late."}"#).event
        == .error(.internal, message: "Too late."))
    #expect(
      try received(#"{"type":"bye","code":"bored","message":"Enough."}"#).event
        == .bye(.shutdown, message: "Enough."))
  }

  @Test(arguments: ["", #","to":null"#, #","to":7777"#, #","to":["::1",7777]"#])
  func `a bye whose address is missing or of the wrong type has none`(to: String) throws {
    #expect(
      try received(#"{"type":"bye","code":"moved","message":"Go."\#(to)}"#).event
        == .bye(.moved, message: "Go."))
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

  @Test func `unknown fields are ignored, and fields can be in any order`() throws {
    let line =
      #" {"hash":"afa687df","turn":"O","right":[5],"cells":[{"mark":"X","z":null,"col":1,"row":1}],"seq":2,"match":"7q2k","type":"boardDidChange"} "#
    let change = Change(
      Placement(cell: Cell(row: 1, column: 1), mark: .x), turn: .o, hash: 0xafa6_87df)
    #expect(
      try received(line).event
        == .match(MatchEvent(match: "7q2k", seq: 2, .boardDidChange(change))))
  }

  @Test func `a sentence from the server is read up to the length limit`() throws {
    let long = String(repeating: "é", count: 60_000)
    let event = try received(#"{"type":"error","code":"full","message":"\#(long)"}"#).event
    #expect(event == .error(.full, message: String(long.prefix(ProtocolLimits.maxSentenceLength))))
    let bye = try received(#"{"type":"bye","code":"full","message":"\#(long)"}"#).event
    #expect(bye == .bye(.full, message: String(long.prefix(ProtocolLimits.maxSentenceLength))))
  }

  @Test func `the longest names and remarks are read`() throws {
    let name = String(repeating: "😀", count: ProtocolLimits.maxNameLength)
    let text = String(repeating: "é", count: ProtocolLimits.maxMessageLength)
    #expect(
      try received(#"{"type":"didSay","match":"m","seq":1,"from":"\#(name)","text":"\#(text)"}"#)
        .event == .match(MatchEvent(match: "m", seq: 1, .didSay(from: name, text: text))))
  }

  /// A game that a part of is wrong: what is given stands in the place of what is right.
  private static func game(
    _ type: String = "gameDidStart", players: String = #"{"X":"a","O":"b"}"#,
    rows: String = "1", columns: String = "3", inARow: String = "3", board: String = #"["..."]"#,
    turn: String? = "X", score: String = #"{"X":0,"O":0,"draws":0}"#, seq: String = "1",
    end: String = ""
  ) -> String {
    #"{"type":"\#(type)","match":"m","seq":\#(seq),"game":"g","players":\#(players)"#
      + #","rows":\#(rows),"cols":\#(columns),"inARow":\#(inARow),"board":\#(board)"#
      + (turn.map { #","turn":"\#($0)""# } ?? "") + #","score":\#(score)\#(end)}"#
  }

  private static func snapshot(over: String, turn: String? = nil, _ end: String = "") -> String {
    game(
      "matchSnapshot", turn: turn,
      end: #","online":{"X":true,"O":true},"over":\#(over)\#(end)"#)
  }

  private static func end(_ fields: String) -> String {
    #"{"type":"gameDidEnd","match":"m","seq":9,\#(fields),"score":{"X":0,"O":0,"draws":0}}"#
  }

  static let contradictory: [(String, LineError)] = [
    (game(rows: "0", board: "[]"), LineError(.badField, field: "rows")),
    (game(rows: "20"), LineError(.badField, field: "rows")),
    (game(rows: "9007199254740991"), LineError(.badField, field: "rows")),
    (game(columns: "-3"), LineError(.badField, field: "rows")),
    (game(columns: "9007199254740991"), LineError(.badField, field: "rows")),
    (game(inARow: "0"), LineError(.badField, field: "rows")),
    (game(rows: "3"), LineError(.badField, field: "board")),
    (game(columns: "2"), LineError(.badField, field: "board")),
    (game(board: #"["...","..."]"#), LineError(.badField, field: "board")),
    (game(board: #"["é."]"#), LineError(.badField, field: "board")),
    (
      game(board: #"["X.."]"#, end: #","lastMove":{"row":0,"col":1,"mark":"X"}"#),
      LineError(.badField, field: "board")
    ),
    (
      game(board: #"["X.."]"#, end: #","lastMove":{"row":19,"col":0,"mark":"X"}"#),
      LineError(.badField, field: "row")
    ),
    (game(turn: nil), LineError(.missingField, field: "turn")),
    (game(turn: "Z"), LineError(.badField, field: "turn")),
    (game(score: #"{"X":-1,"O":0,"draws":0}"#), LineError(.badField, field: "X")),
    (
      game(score: #"{"X":0,"O":0,"draws":-9007199254740991}"#), LineError(.badField, field: "draws")
    ),
    (game(seq: "0"), LineError(.badField, field: "seq")),
    (game(seq: "-9007199254740991"), LineError(.badField, field: "seq")),
    (game(players: #"{"X":"","O":"b"}"#), LineError(.badField, field: "X")),
    (game(players: #"{"X":"a","O":"b\n"}"#), LineError(.badField, field: "O")),
    (
      game(players: #"{"X":"\#(String(repeating: "x", count: 10_000))","O":"b"}"#),
      LineError(.badField, field: "X")
    ),
    (snapshot(over: "false"), LineError(.missingField, field: "turn")),
    (
      snapshot(over: "true", turn: "X", #","result":"draw","reason":"full""#),
      LineError(.badField, field: "turn")
    ),
    (
      snapshot(over: "true", #","result":"win","winner":"X","reason":"line","line":[[0,0],[1,0]]"#),
      LineError(.badField, field: "line")
    ),
    (end(#""result":"draw","reason":"left""#), LineError(.badField, field: "reason")),
    (end(#""result":"win","winner":"X","reason":"full""#), LineError(.badField, field: "reason")),
    (
      end(#""result":"win","winner":"X","reason":"left","line":[[0,0]]"#),
      LineError(.badField, field: "line")
    ),
    (
      end(#""result":"win","winner":"X","reason":"line","line":[[0,19]]"#),
      LineError(.badField, field: "line")
    ),
    (
      end(#""result":"win","winner":"X","reason":"line","line":[[-1,0]]"#),
      LineError(.badField, field: "line")
    ),
    (
      change.replacing("[]", with: #"[{"row":0,"col":19,"mark":"X"}]"#),
      LineError(.badField, field: "col")
    ),
    (
      change.replacing("[]", with: #"[{"row":-1,"col":0,"mark":"X"}]"#),
      LineError(.badField, field: "row")
    ),
    (#"{"type":"didLogin","name":""}"#, LineError(.badField, field: "name")),
    (#"{"type":"didLogin","name":"a\u001b[2J"}"#, LineError(.badField, field: "name")),
    (#"{"type":"didLogin","name":"a\u009b2J"}"#, LineError(.badField, field: "name")),
    (
      #"{"type":"invited","from":"\#(String(repeating: "é", count: 25))","game":"g"}"#,
      LineError(.badField, field: "from")
    ),
    (
      #"{"type":"didSay","match":"m","seq":1,"from":"a","text":""}"#,
      LineError(.badField, field: "text")
    ),
    (
      #"{"type":"didSay","match":"m","seq":1,"from":"a","text":"\#(String(repeating: "é", count: 201))"}"#,
      LineError(.badField, field: "text")
    ),
    (
      #"{"type":"didSay","match":"m","seq":1,"from":"a","text":"one\nann: two"}"#,
      LineError(.badField, field: "text")
    ),
    (
      #"{"type":"players","items":[{"name":"","place":"lobby"}]}"#,
      LineError(.badField, field: "name")
    ),
  ]

  @Test(arguments: contradictory)
  func `a line that contradicts itself or the protocol is refused`(line: String, error: LineError) {
    #expect(throws: error) { try received(line) }
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
