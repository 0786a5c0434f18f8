import Shared
import Testing

/// A golden line for each command.
struct CommandCodecTests {
  static let golden: [(json: String, words: String, command: Command)] = [
    (#"{"type":"login"}"#, "login", .login(name: nil, password: nil)),
    (#"{"type":"login","name":"ann"}"#, "login ann", .login(name: "ann", password: nil)),
    (
      #"{"type":"login","name":"Ann Ä","password":"a b"}"#, #"login "Ann Ä" "a b""#,
      .login(name: "Ann Ä", password: "a b")
    ),
    (#"{"type":"login","password":"x"}"#, #"login "" x"#, .login(name: nil, password: "x")),
    (
      #"{"type":"register","password":"correct horse"}"#, #"register "correct horse""#,
      .register(password: "correct horse", old: nil)
    ),
    (
      #"{"type":"register","password":"12345678","old":"87654321"}"#, "register 12345678 87654321",
      .register(password: "12345678", old: "87654321")
    ),
    (
      #"{"type":"unregister","password":"12345678"}"#, "unregister 12345678",
      .unregister(password: "12345678")
    ),
    (#"{"type":"resume","token":"q0Zb"}"#, "resume q0Zb", .resume(token: "q0Zb", seq: nil)),
    (
      #"{"type":"resume","token":"q0Zb","seq":7}"#, "resume q0Zb 7",
      .resume(token: "q0Zb", seq: 7)
    ),
    (#"{"type":"start"}"#, "start", .start(opponent: nil, game: nil)),
    (
      #"{"type":"start","opponent":"bot","game":"tictactoe"}"#, "start bot tictactoe",
      .start(opponent: "bot", game: "tictactoe")
    ),
    (
      #"{"type":"start","opponent":"bot","game":"gomoku","level":"easy"}"#,
      "start bot gomoku easy", .start(opponent: "bot", game: "gomoku", level: .easy)
    ),
    (
      #"{"type":"start","game":"gomoku"}"#, #"start "" gomoku"#,
      .start(opponent: nil, game: "gomoku")
    ),
    (#"{"type":"open"}"#, "open", .open(game: nil)),
    (#"{"type":"open","game":"gomoku"}"#, "open gomoku", .open(game: "gomoku")),
    (#"{"type":"join","code":"k7w2mx"}"#, "JOIN k7w2mx", .join(code: "k7w2mx")),
    (#"{"type":"cancel"}"#, "cancel", .cancel),
    (#"{"type":"decline"}"#, "decline", .decline(opponent: nil)),
    (
      #"{"type":"decline","opponent":"bob ross"}"#, #"decline "bob ross""#,
      .decline(opponent: "bob ross")
    ),
    (#"{"type":"place","row":1,"col":2}"#, "place 1 2", .place(Cell(row: 1, column: 2), seq: nil)),
    (
      #"{"type":"place","row":-1,"col":9007199254740991,"seq":0}"#,
      "place -1 9007199254740991 0", .place(Cell(row: -1, column: (1 << 53) - 1), seq: 0)
    ),
    (#"{"type":"resign"}"#, "resign", .resign),
    (#"{"type":"leave"}"#, "leave", .leave),
    (#"{"type":"say","text":"hi"}"#, "say hi", .say("hi")),
    (#"{"type":"say","text":"a \"b\"  c"}"#, #"say   a "b"  c "#, .say(#"a "b"  c"#)),
    (#"{"type":"say","text":"\"\""}"#, "say \"\"", .say("\"\"")),
    (#"{"type":"watch","match":"7q2k"}"#, "watch 7q2k", .watch(match: "7q2k")),
    (#"{"type":"list","what":"players"}"#, "list", .list(.players)),
    (#"{"type":"list","what":"matches"}"#, "list matches", .list(.matches)),
    (#"{"type":"list","what":"games"}"#, "list games", .list(.games)),
    (#"{"type":"history"}"#, "history", .history(player: nil, before: nil)),
    (
      #"{"type":"history","player":"ann","before":7}"#, "history ann 7",
      .history(player: "ann", before: 7)
    ),
    (#"{"type":"leaderboard"}"#, "leaderboard", .leaderboard(game: nil)),
    (
      #"{"type":"leaderboard","game":"gomoku"}"#, "leaderboard gomoku",
      .leaderboard(game: "gomoku")
    ),
    (#"{"type":"replay","match":"7q2k"}"#, "replay 7q2k", .replay(match: "7q2k", seq: nil)),
    (
      #"{"type":"replay","match":"7q2k","seq":500}"#, "replay 7q2k 500",
      .replay(match: "7q2k", seq: 500)
    ),
    (#"{"type":"sync"}"#, "sync", .sync(seq: nil)),
    (#"{"type":"sync","seq":0}"#, "sync 0", .sync(seq: 0)),
    (#"{"type":"ping"}"#, "ping", .ping),
    (#"{"type":"help"}"#, "help", .help(nil)),
    (#"{"type":"help","command":"place"}"#, "help place", .help(.command(.place))),
    (#"{"type":"help","command":"board"}"#, "help board", .help(.board)),
    (#"{"type":"quit"}"#, "quit", .quit),
  ]

  @Test func `every command has a golden line`() {
    #expect(Set(Self.golden.map(\.command.type)) == Set(CommandType.allCases))
  }

  @Test(arguments: golden)
  func `a command is decoded from JSON and from words and encoded as JSON`(
    json: String, words: String, command: Command
  ) throws {
    #expect(try decoded(json) == Request(command))
    #expect(try decoded(words) == Request(command))
    #expect(line(command) == json)
  }

  @Test func `a line has its id after the type and ends with LF`() {
    var bytes = Array("before".utf8)
    CommandEncoder.append(.place(Cell(row: 0, column: 0), seq: 4), id: .text("a\"b"), to: &bytes)
    let line = #"{"type":"place","id":"a\"b","row":0,"col":0,"seq":4}"#
    #expect(String(decoding: bytes, as: UTF8.self) == "before\(line)\n")
  }

  @Test func `a field that is omitted has its default`() throws {
    #expect(
      try decoded(#"{"type":"start"}"#) == Request(.start(opponent: nil, game: nil)))
    #expect(try decoded(#"{"type":"list"}"#) == Request(.list(.players)))
  }

  @Test func `null is the same as absent`() throws {
    #expect(
      try decoded(#"{"type":"login","name":null,"id":null,"password":null}"#)
        == Request(.login(name: nil, password: nil)))
    #expect(
      try decoded(#"{"type":"place","row":1,"col":1,"seq":null}"#)
        == Request(.place(Cell(row: 1, column: 1), seq: nil)))
  }

  @Test func `fields can be in any order and unknown ones are ignored`() throws {
    let line =
      #"{"more":{"type":[1,{}],"row":true},"col":2,"seq":7,"x":1e400,"row":1,"type":"place"}"#
    #expect(try decoded(line) == Request(.place(Cell(row: 1, column: 2), seq: 7)))
    #expect(try decoded(#"{"type":"ping","row":"x","seq":-1}"#) == Request(.ping))
  }

  @Test func `escapes are decoded in keys and values`() throws {
    let line = #"{"\u0074ype":"l\u006Fgin","name":"\"\\\/\b\f\n\r\t\u00e4\uD83D\ude00z"}"#
    #expect(
      try decoded(line)
        == Request(.login(name: "\"\\/\u{8}\u{C}\n\r\t\u{E4}\u{1F600}z", password: nil)))
  }

  @Test func `an id is an integer or a string of 1 to 32 characters`() throws {
    let long = String(repeating: "😀", count: 32)
    let ids: [(String, RequestID)] = [
      ("7", .integer(7)), ("-9007199254740991", .integer(-((1 << 53) - 1))), ("-0", .integer(0)),
      (#""x""#, .text("x")), (#""\u0000""#, .text("\0")), ("\"\(long)\"", .text(long)),
      (#""7""#, .text("7")),
    ]
    for (json, id) in ids {
      #expect(try decoded("{\"id\":\(json),\"type\":\"ping\"}") == Request(id: id, .ping))
      #expect(try decoded(line(.ping, id: id)) == Request(id: id, .ping))
    }
  }

  @Test func `a blank line is not a command, and blanks around a command are ignored`() throws {
    for blank in ["", " ", "\r", " \t\r \r"] { #expect(try decoded(blank) == nil) }
    for line in ["\r ping\t \r", " {\"type\":\"ping\"} \r", "\t{ \t\"type\" :\r\"ping\" } "] {
      #expect(try decoded(line) == Request(.ping))
    }
  }

  @Test func `one decoder decodes line after line and keeps nothing of them`() throws {
    let decoder = CommandDecoder()
    for (json, words, command) in Self.golden + Self.golden.reversed() {
      #expect(throws: LineError(.badJSON)) {
        try decoder.decode(Array("{\"a\":\"\\u0041".utf8).span)
      }
      #expect(try decoder.decode(Array(json.utf8).span) == Request(command))
      #expect(try decoder.decode(Array(words.utf8).span) == Request(command))
    }
  }
}
