import Shared
import Testing

/// A golden line for each event.
struct EventCodecTests {
  static let ticTacToe = GameSummary(
    id: "tictactoe", name: "Tic Tac Toe", rows: 3, columns: 3, inARow: 3)
  static let names = PerMark(x: "ann", o: "bob")

  static func gameState(
    _ rows: [String], turn: Mark?, you: Mark? = nil, left: Duration? = nil, open: [Cell]? = nil,
    lastMove: Placement? = nil
  ) throws -> GameState {
    GameState(
      game: "tictactoe", you: you, players: names,
      board: try #require(
        Board(.ticTacToe, rows: rows, turn: turn, open: open, lastMove: lastMove)),
      score: Score(x: 1, o: 0, draws: 2), timeLeft: left)
  }

  static func match(_ seq: Int, _ body: MatchEvent.Body) -> Event {
    .match(MatchEvent(match: "7q2k", seq: seq, body))
  }

  static func golden() throws -> [(String, Event)] {
    let line = [Cell(row: 0, column: 0), Cell(row: 1, column: 1), Cell(row: 2, column: 2)]
    let score = Score(x: 2, o: 0, draws: 1)
    let scored = #""score":{"X":2,"O":0,"draws":1}}"#
    let change = Placement(cell: Cell(row: 1, column: 1), mark: .x)
    return [
      (
        #"{"type":"hello","protocol":1,"server":"tictactoe-server 0.1.0","games":[{"id":"tictactoe","name":"Tic Tac Toe","rows":3,"cols":3,"inARow":3}],"limits":{"line":4096},"help":"Type: login YOURNAME, then: start bot. All commands: help"}"#,
        .hello(
          Hello(
            server: "tictactoe-server 0.1.0", games: [ticTacToe], limits: Limits(line: 4096),
            help: "Type: login YOURNAME, then: start bot. All commands: help"))
      ),
      (
        #"{"type":"hello","protocol":2,"server":"s","games":[],"limits":{"line":9},"help":""}"#,
        .hello(
          Hello(protocolVersion: 2, server: "s", games: [], limits: Limits(line: 9), help: ""))
      ),
      (
        #"{"type":"hello","protocol":1,"server":"s","games":[],"limits":{"line":9,"loginWithin":30000,"resumeWithin":60000,"inviteWithin":120000,"turn":300000,"idle":1500,"perSecond":20,"burst":100},"help":""}"#,
        .hello(
          Hello(
            server: "s", games: [],
            limits: Limits(
              line: 9, loginWithin: .seconds(30), resumeWithin: .seconds(60),
              inviteWithin: .seconds(120), turn: .seconds(300), idle: .milliseconds(1_500),
              perSecond: 20, burst: 100), help: ""))
      ),
      (#"{"type":"didLogin","name":"ann"}"#, .didLogin(name: "ann", token: nil)),
      (
        #"{"type":"didLogin","name":"ann","token":"q0Zb","place":"watching"}"#,
        .didLogin(name: "ann", token: "q0Zb", place: .watching)
      ),
      (
        #"{"type":"didLogin","name":"ann","token":"q0Zb","registered":true}"#,
        .didLogin(name: "ann", token: "q0Zb", registered: true)
      ),
      (#"{"type":"didRegister","name":"ann"}"#, .didRegister(name: "ann")),
      (#"{"type":"didUnregister","name":"ann"}"#, .didUnregister(name: "ann")),
      (
        #"{"type":"history","items":[{"id":12,"match":"7q2k","game":"tictactoe","players":{"X":"ann","O":"bob"},"result":"win","winner":"X","reason":"line","moves":5,"ago":61000},{"id":9,"match":"7q2k","game":"four","players":{"X":"ann","O":"bob"},"result":"draw","reason":"full","moves":16,"ago":0}],"next":9}"#,
        .history(
          HistoryPage(
            [
              HistoryItem(
                id: 12, match: "7q2k", game: "tictactoe", players: names,
                outcome: Outcome(winner: .x, reason: .line), moves: 5, ago: .seconds(61)),
              HistoryItem(
                id: 9, match: "7q2k", game: "four", players: names,
                outcome: Outcome(winner: nil, reason: .full), moves: 16, ago: .zero),
            ], next: 9))
      ),
      (#"{"type":"history","items":[]}"#, .history(HistoryPage([]))),
      (
        #"{"type":"leaderboard","game":"tictactoe","items":[{"rank":1,"name":"ann","rating":1662,"won":3,"lost":1,"drawn":2},{"rank":2,"name":"bob","rating":1338,"provisional":true,"won":0,"lost":1,"drawn":0}]}"#,
        .leaderboard(
          Leaderboard(
            game: "tictactoe",
            [
              LeaderboardItem(
                rank: 1, name: "ann", rating: 1_662, isProvisional: false, won: 3, lost: 1,
                drawn: 2),
              LeaderboardItem(
                rank: 2, name: "bob", rating: 1_338, isProvisional: true, won: 0, lost: 1,
                drawn: 0),
            ]))
      ),
      (
        #"{"type":"replayDidStart","match":"7q2k","game":"tictactoe","players":{"X":"ann","O":"bob"},"last":9}"#,
        .replayDidStart(
          ReplayHeader(match: "7q2k", game: "tictactoe", players: names, last: 9))
      ),
      (
        #"{"type":"replayDidEnd","match":"7q2k","next":500}"#,
        .replayDidEnd(match: "7q2k", next: 500)
      ),
      (#"{"type":"replayDidEnd","match":"7q2k"}"#, .replayDidEnd(match: "7q2k", next: nil)),
      (#"{"type":"didLogin","name":"ann","token":"q0Zb"}"#, .didLogin(name: "ann", token: "q0Zb")),
      (#"{"type":"didQueue","game":"tictactoe"}"#, .didQueue(game: "tictactoe", opponent: nil)),
      (
        #"{"type":"didQueue","game":"tictactoe","opponent":"bob"}"#,
        .didQueue(game: "tictactoe", opponent: "bob")
      ),
      (
        #"{"type":"didQueue","game":"tictactoe","opponent":"bob","expires":120000}"#,
        .didQueue(game: "tictactoe", opponent: "bob", expires: .seconds(120))
      ),
      (
        #"{"type":"didQueue","game":"gomoku","code":"k7w2mx"}"#,
        .didQueue(game: "gomoku", opponent: nil, code: "k7w2mx")
      ),
      (#"{"type":"didCancel"}"#, .didCancel()),
      (#"{"type":"didCancel","reason":"declined"}"#, .didCancel(reason: .declined)),
      (#"{"type":"didCancel","reason":"expired"}"#, .didCancel(reason: .expired)),
      (#"{"type":"didCancel","reason":"left"}"#, .didCancel(reason: .left)),
      (
        #"{"type":"invited","from":"ann","game":"gomoku","expires":90000}"#,
        .invited(from: "ann", game: "gomoku", expires: .seconds(90))
      ),
      (#"{"type":"announcement","text":"Hello"}"#, .announcement(text: "Hello")),
      (
        #"{"type":"announcement","text":"Stopping","left":30000}"#,
        .announcement(text: "Stopping", timeLeft: .seconds(30))
      ),
      (
        #"{"type":"spectatorsDidChange","match":"7q2k","count":3}"#,
        .spectatorsDidChange(match: "7q2k", count: 3)
      ),
      (
        #"{"type":"invited","from":"ann","game":"tictactoe"}"#,
        .invited(from: "ann", game: "tictactoe")
      ),
      (
        #"{"type":"invitationDidEnd","from":"ann","game":"tictactoe"}"#,
        .invitationDidEnd(from: "ann", game: "tictactoe")
      ),
      (
        #"{"type":"gameDidStart","match":"7q2k","seq":1,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"turn":"X","score":{"X":1,"O":0,"draws":2}}"#,
        match(1, .gameDidStart(try gameState(["...", "...", "..."], turn: .x)))
      ),
      (
        #"{"type":"gameDidStart","you":"O","match":"7q2k","seq":1,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"turn":"X","score":{"X":1,"O":0,"draws":2}}"#,
        match(1, .gameDidStart(try gameState(["...", "...", "..."], turn: .x, you: .o)))
      ),
      (
        #"{"type":"boardDidChange","match":"7q2k","seq":2,"cells":[{"row":1,"col":1,"mark":"X"}],"turn":"O","hash":"afa687df"}"#,
        match(2, .boardDidChange(Change(change, turn: .o, hash: 0xafa6_87df)))
      ),
      (
        #"{"type":"boardDidChange","match":"7q2k","seq":1234567,"cells":[{"row":0,"col":18,"mark":"O"}],"hash":"0000000a"}"#,
        match(
          1_234_567,
          .boardDidChange(
            Change(Placement(cell: Cell(row: 0, column: 18), mark: .o), turn: nil, hash: 10)))
      ),
      (
        #"{"type":"gameDidStart","match":"7q2k","seq":1,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"turn":"X","score":{"X":1,"O":0,"draws":2},"left":20000}"#,
        match(1, .gameDidStart(try gameState(["...", "...", "..."], turn: .x, left: .seconds(20))))
      ),
      (
        #"{"type":"boardDidChange","match":"7q2k","seq":2,"cells":[{"row":1,"col":1,"mark":"X"}],"turn":"O","left":9007199254740991,"hash":"afa687df"}"#,
        match(
          2,
          .boardDidChange(
            Change(change, turn: .o, hash: 0xafa6_87df), timeLeft: .milliseconds((1 << 53) - 1)))
      ),
      (
        #"{"type":"boardDidChange","match":"7q2k","seq":2,"cells":[{"row":1,"col":1,"mark":"X"}],"turn":"O","open":[[0,1],[2,0]],"left":5,"hash":"afa687df"}"#,
        match(
          2,
          .boardDidChange(
            Change(
              change, turn: .o, open: [Cell(row: 0, column: 1), Cell(row: 2, column: 0)],
              hash: 0xafa6_87df), timeLeft: .milliseconds(5)))
      ),
      (
        #"{"type":"gameDidStart","match":"7q2k","seq":1,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"turn":"X","score":{"X":1,"O":0,"draws":2},"open":[[2,2]]}"#,
        match(
          1,
          .gameDidStart(
            try gameState(["...", "...", "..."], turn: .x, open: [Cell(row: 2, column: 2)])))
      ),
      (
        #"{"type":"presenceDidChange","match":"7q2k","seq":3,"mark":"O","online":false,"grace":60000}"#,
        match(3, .presenceDidChange(.o, online: false, grace: .seconds(60)))
      ),
      (
        #"{"type":"presenceDidChange","match":"7q2k","seq":4,"mark":"O","online":true}"#,
        match(4, .presenceDidChange(.o, online: true))
      ),
      (
        #"{"type":"didSay","match":"7q2k","seq":5,"from":"ann","text":"a \"b\" é"}"#,
        match(5, .didSay(from: "ann", text: #"a "b" é"#))
      ),
      (
        #"{"type":"didSay","match":"7q2k","seq":5,"from":"ann","mark":"X","text":"hi"}"#,
        match(5, .didSay(from: "ann", mark: .x, text: "hi"))
      ),
      (#"{"type":"didLeave"}"#, .didLeave),
      (
        #"{"type":"gameDidEnd","match":"7q2k","seq":7,"result":"win","winner":"X","reason":"line","line":[[0,0],[1,1],[2,2]],"#
          + scored,
        match(7, .gameDidEnd(Outcome(winner: .x, reason: .line, line: line), score))
      ),
      (
        #"{"type":"gameDidEnd","match":"7q2k","seq":10,"result":"draw","reason":"full","# + scored,
        match(10, .gameDidEnd(Outcome(winner: nil, reason: .full), score))
      ),
      (
        #"{"type":"gameDidEnd","match":"7q2k","seq":8,"result":"win","winner":"O","reason":"resigned","#
          + scored,
        match(8, .gameDidEnd(Outcome(winner: .o, reason: .resigned), score))
      ),
      (
        #"{"type":"matchDidEnd","match":"7q2k","seq":11,"reason":"left","by":"O","# + scored,
        match(11, .matchDidEnd(.left, by: .o, score))
      ),
      (
        #"{"type":"matchDidEnd","match":"7q2k","seq":11,"reason":"shutdown","# + scored,
        match(11, .matchDidEnd(.shutdown, by: nil, score))
      ),
      (
        #"{"type":"matchSnapshot","you":"X","match":"7q2k","seq":4,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["X.O",".X.","..."],"turn":"O","score":{"X":1,"O":0,"draws":2},"online":{"X":true,"O":false},"spectators":2,"over":false}"#,
        .matchSnapshot(
          MatchSnapshot(
            match: "7q2k", seq: 4, try gameState(["X.O", ".X.", "..."], turn: .o, you: .x),
            online: PerMark(x: true, o: false), spectators: 2, outcome: nil))
      ),
      (
        #"{"type":"matchSnapshot","you":"X","match":"7q2k","seq":4,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["X.O",".X.","..."],"turn":"O","score":{"X":1,"O":0,"draws":2},"lastMove":{"row":1,"col":1,"mark":"X"},"online":{"X":true,"O":false},"over":false}"#,
        .matchSnapshot(
          MatchSnapshot(
            match: "7q2k", seq: 4,
            try gameState(
              ["X.O", ".X.", "..."], turn: .o, you: .x,
              lastMove: Placement(cell: Cell(row: 1, column: 1), mark: .x)),
            online: PerMark(x: true, o: false), outcome: nil))
      ),
      (
        #"{"type":"matchSnapshot","match":"7q2k","seq":9,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["X.O",".XO","..X"],"score":{"X":1,"O":0,"draws":2},"online":{"X":false,"O":true},"over":true,"result":"win","winner":"X","reason":"line","line":[[0,0],[1,1],[2,2]]}"#,
        .matchSnapshot(
          MatchSnapshot(
            match: "7q2k", seq: 9, try gameState(["X.O", ".XO", "..X"], turn: nil),
            online: PerMark(x: false, o: true),
            outcome: Outcome(winner: .x, reason: .line, line: line)))
      ),
      (
        #"{"type":"matches","items":[{"match":"7q2k","game":"tictactoe","players":{"X":"ann","O":"bot"},"running":true},{"match":"8","game":"g","players":{"X":"ann","O":"bob"},"running":false,"score":{"X":2,"O":0,"draws":1}}]}"#,
        .matches(
          Page([
            MatchSummary(
              match: "7q2k", game: "tictactoe", players: PerMark(x: "ann", o: "bot"),
              isRunning: true),
            MatchSummary(match: "8", game: "g", players: names, isRunning: false, score: score),
          ]))
      ),
      (
        #"{"type":"players","items":[{"name":"ann","place":"lobby"},{"name":"bob","place":"waiting","game":"tictactoe","rating":1500}],"more":3}"#,
        .players(
          Page(
            [
              PlayerSummary(name: "ann", place: .lobby, game: nil),
              PlayerSummary(name: "bob", place: .waiting, game: "tictactoe", rating: 1_500),
            ], more: 3))
      ),
      (#"{"type":"players","items":[]}"#, .players(Page([]))),
      (
        #"{"type":"games","items":[{"id":"tictactoe","name":"Tic Tac Toe","rows":3,"cols":3,"inARow":3}]}"#,
        .games(Page([ticTacToe]))
      ),
      (#"{"type":"pong"}"#, .pong),
      (
        #"{"type":"help","command":"quit","usage":"quit","example":"{\"type\":\"quit\"}","about":"Leave the match, if you are in one, and close the connection."}"#,
        .help(CommandType.quit.help)
      ),
      (
        #"{"type":"error","code":"cellTaken","message":"That cell already has a mark."}"#,
        .error(.cellTaken)
      ),
      (
        #"{"type":"error","code":"tooFast","message":"m","retry":250}"#,
        .error(.tooFast, message: "m", retry: .milliseconds(250))
      ),
      (
        #"{"type":"error","code":"inMatch","message":"m","field":"opponent"}"#,
        .error(.inMatch, message: "m", field: "opponent")
      ),
      (#"{"type":"bye","code":"quit","message":"Goodbye."}"#, .bye(.quit)),
      (
        #"{"type":"bye","code":"shutdown","message":"m","retry":0}"#,
        .bye(.shutdown, message: "m", retry: .zero)
      ),
      (
        #"{"type":"bye","code":"moved","message":"Your session continues at [::1]:7777. "#
          + #"Connect there and type: resume TOKEN","to":"[::1]:7777","retry":0}"#,
        .moved(to: "[::1]:7777")
      ),
    ]
  }

  @Test func `every event has a golden line, which is decoded again`() throws {
    for (json, event) in try Self.golden() {
      #expect(line(event) == json)
      #expect(try received(json) == ReceivedEvent(event))
    }
  }

  @Test func `re comes after the type, and is decoded again`() throws {
    for id in [RequestID.integer(-7), .text("x\"\u{1B}"), .integer((1 << 53) - 1)] {
      for (_, event) in try Self.golden() {
        #expect(try received(line(event, re: id)) == ReceivedEvent(re: id, event))
      }
    }
    #expect(line(.pong, re: .text("x\"\u{1B}")) == #"{"type":"pong","re":"x\"\u001b"}"#)
  }

  @Test func `an event is appended to the bytes before it and ends with LF`() {
    var bytes = Array("before\n".utf8)
    EventEncoder.append(.pong, to: &bytes)
    EventEncoder.append(.didCancel(), re: .integer(1), to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "before\n{\"type\":\"pong\"}\n{\"type\":\"didCancel\",\"re\":1}\n")
  }

  private func copy(of line: [UInt8], re: RequestID?, you: Mark? = nil) -> [UInt8] {
    var copy: [UInt8] = []
    EventEncoder.withCopy(of: line.span, re: re, you: you) { copy.append($0) }
    return copy
  }

  @Test func `a copy differs only in you and re`() throws {
    for (_, event) in try Self.golden() {
      var encoded: [UInt8] = []
      EventEncoder.append(event, to: &encoded)
      for re in [nil, RequestID.integer(7), .text("\"\"")] {
        var direct: [UInt8] = []
        EventEncoder.append(event, re: re, to: &direct)
        #expect(copy(of: encoded, re: re) == direct)
      }
    }
    let start = try Self.gameState(["...", "...", "..."], turn: .x)
    let mine = try Self.gameState(["...", "...", "..."], turn: .x, you: .x)
    var encoded: [UInt8] = []
    EventEncoder.append(Self.match(1, .gameDidStart(start)), to: &encoded)
    let text = String(decoding: copy(of: encoded, re: .integer(7), you: .x), as: UTF8.self)
    #expect(
      text.hasPrefix(#"{"type":"gameDidStart","re":7,"you":"X","match":"7q2k""#))
    #expect(text.hasSuffix("}\n"))
    let read = try received(String(text.dropLast()))
    #expect(read == ReceivedEvent(re: .integer(7), Self.match(1, .gameDidStart(mine))))
  }
}
