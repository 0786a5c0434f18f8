import Shared
import Testing

@testable import Client

/// A program's session after a loss of its connection, and at the next start of the program.
@Suite struct ProgramReturnTests {
  static let start =
    #"{"type":"gameDidStart","you":"X","match":"m","seq":1,"game":"tictactoe","#
    + #""players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"#
    + #""board":["...","...","..."],"turn":"X","score":{"X":0,"O":0,"draws":0}}"#
  static let end =
    #"{"type":"matchDidEnd","match":"m","seq":2,"reason":"left","by":"O","#
    + #""score":{"X":0,"O":0,"draws":0}}"#

  private static func snapshot(_ rows: String, over: Bool = false, you: Bool = true) -> String {
    #"{"type":"matchSnapshot","#
      + (you ? #""you":"X","# : "")
      + #""match":"m","seq":40,"game":"tictactoe","players":{"X":"ann","O":"bob"},"#
      + #""rows":3,"cols":3,"inARow":3,"board":[\#(rows)],"#
      + (over
        ? #""over":true,"result":"win","winner":"O","reason":"resigned","#
        : #""over":false,"turn":"O","#)
      + #""score":{"X":0,"O":0,"draws":0},"online":{"X":true,"O":true}}"#
  }

  private func loggedIn(password: String? = nil) -> ProgramSession {
    var session = ProgramSession()
    _ = session.type("login ann" + (password.map { " \($0)" } ?? ""))
    _ = session.take(#"{"type":"didLogin","re":"exec-1","name":"ann","token":"t1"}"#)
    return session
  }

  private func resume(_ session: inout ProgramSession, at place: SessionPlace?) {
    session.willMove()
    _ = session.didMove(with: Login(name: "ann", token: "t2", place: place))
  }

  /// What the server gets once it has repeated all that stands.
  private func settle(_ session: inout ProgramSession) -> [String] {
    session.didRepeatAll().map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  private func texts(_ lines: [[UInt8]]) -> [String] {
    lines.map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  @Test func `there is something to continue from the greeting on, and not in a replay`() {
    var session = ProgramSession()
    _ = session.type("help")
    #expect(!session.canContinue)
    _ = session.type("login ann")
    #expect(session.canContinue)
    session = ProgramSession()
    _ = session.take(ScriptedServer.text(of: ScriptedServer.hello()))
    #expect(session.canContinue)
    #expect(session.credentials == nil)
    session = loggedIn()
    _ = session.take(
      #"{"type":"replayDidStart","match":"o","game":"tictactoe","#
        + #""players":{"X":"bob","O":"ann"},"last":3}"#)
    #expect(!session.canContinue)
  }

  @Test func `a session that is over begins again under its name, unless a match is lost with it`()
  {
    var session = loggedIn(password: "sesame-1")
    #expect(session.credentials?.name == "ann")
    #expect(session.credentials?.password == "sesame-1")
    #expect(session.credentials?.mayStartOver == true)
    _ = session.take(Self.start)
    #expect(session.credentials?.mayStartOver == false)
    #expect(session.hasLostMatch(with: Login(name: "ann", token: "t", place: .lobby)))
    #expect(!session.hasLostMatch(with: Login(name: "ann", token: "t", place: .playing)))
    _ = session.take(Self.end)
    #expect(session.credentials?.mayStartOver == true)
    _ = session.take(Self.start.replacing(#""you":"X","#, with: ""))
    #expect(session.credentials?.mayStartOver == true)
  }

  @Test(arguments: [#""X..","...","...""#, #""...","...","...""#])
  func `a move without a reply was made if the snapshot has it`(rows: String) {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type(#"{"type":"place","id":7,"row":0,"col":0}"#)
    resume(&session, at: .playing)
    let snapshot = Self.snapshot(rows)
    let wasMade = rows.hasPrefix(#""X"#)
    let reply = snapshot.replacing(#"Snapshot","#, with: #"Snapshot","re":7,"#)
    #expect(session.take(snapshot) == .line(wasMade ? Array(reply.utf8) : nil))
    #expect(settle(&session) == (wasMade ? [] : [#"{"type":"place","id":7,"row":0,"col":0}"#]))
    #expect(session.seq == 40)
  }

  /// A program that acts on the `turn` of a snapshot moves again, and one that does not has moved.
  @Test(arguments: [false, true])
  func `a move that is sent again is made once, if the program repeats it or not`(waits: Bool) {
    var session = loggedIn()
    _ = session.take(Self.start)
    if !waits { _ = session.type("place 0 0") }
    session.willMove()
    if waits { _ = session.type("place 0 0") }
    _ = session.didMove(with: Login(name: "ann", token: "t2", place: .playing))
    _ = session.take(
      Self.snapshot(#""...","...","...""#).replacing(#""turn":"O""#, with: #""turn":"X""#))
    #expect(session.type("place 2 2") == nil)
    let lines = settle(&session)
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""row":0,"col":0"#) == true)
    #expect(session.type("place 1 1") != nil)
  }

  /// It would answer its turn a second time.
  @Test(arguments: [1, 2])
  func `a program that has missed nothing gets no snapshot`(seq: Int) {
    var session = loggedIn()
    _ = session.take(Self.start)
    resume(&session, at: .playing)
    let snapshot = Self.snapshot(#""...","...","...""#).replacing(
      #""seq":40"#, with: "\"seq\":\(seq)")
    #expect(session.take(snapshot) == (seq == 1 ? .hidden : .line(nil)))
    #expect(settle(&session) == [])
    // One that it asks for comes in any case.
    _ = session.type("sync")
    #expect(session.take(snapshot) != .hidden)
  }

  @Test func `a resignation without a reply is not sent again into the next game`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type("resign")
    resume(&session, at: .playing)
    _ = session.take(Self.snapshot(#""...","...","...""#, over: true))
    #expect(settle(&session) == [])
  }

  @Test func `a program that has left a match does not leave the next one`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type("leave")
    _ = session.type("start bot")
    resume(&session, at: .playing)
    let snapshot = Self.snapshot(#""...","...","...""#).replacing(
      #""match":"m","seq":40"#, with: #""match":"n","seq":1"#)
    // It is the reply to the start.
    #expect(session.take(snapshot) != .hidden)
    #expect(settle(&session) == [])
  }

  @Test func `a program that has left is not told that its match is lost`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type(#"{"type":"leave","id":7}"#)
    _ = session.take(
      #"{"type":"gameDidEnd","re":7,"match":"m","seq":2,"result":"win","winner":"O","#
        + #""reason":"left","score":{"X":0,"O":1,"draws":0}}"#)
    #expect(session.credentials?.mayStartOver == true)
    #expect(!session.hasLostMatch(with: Login(name: "ann", token: "t", place: nil)))
    _ = session.take(Self.end.replacing(#""seq":2"#, with: #""re":7,"seq":3"#))
    resume(&session, at: nil)
    #expect(settle(&session) == [])
  }

  @Test func `what a program wants to do in its match is sent again there`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type(#"{"type":"leave","id":7}"#)
    resume(&session, at: .playing)
    _ = session.take(Self.snapshot(#""...","...","...""#))
    #expect(settle(&session) == [#"{"type":"leave","id":7}"#])
  }

  @Test func `a program that quits waits for the goodbye, not for the end of its match`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type(#"{"type":"quit","id":7}"#)
    _ = session.take(Self.end.replacing(#""seq":2"#, with: #""re":7,"seq":2"#))
    #expect(session.hasQuit)
    #expect(session.credentials?.mayStartOver == true)
    resume(&session, at: nil)
    #expect(settle(&session) == [#"{"type":"quit","id":7}"#])
  }

  @Test func `a match that a program has quit is not lost`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.type("quit")
    #expect(session.credentials?.mayStartOver == true)
    #expect(!session.hasLostMatch(with: Login(name: "ann", token: "t", place: nil)))
  }

  @Test func `a password whose registration had no reply is tried, and named as the old one`() {
    var session = loggedIn()
    _ = session.type(#"{"type":"register","id":7,"password":"sesame-1"}"#)
    #expect(session.credentials?.password == nil)
    #expect(session.credentials?.reservePassword == "sesame-1")
    resume(&session, at: .playing)
    #expect(
      settle(&session)
        == [#"{"type":"register","id":7,"password":"sesame-1","old":"sesame-1"}"#])
  }

  @Test func `the link looks whether it is silent as soon as a login waits for its reply`() {
    var session = ProgramSession()
    #expect(!session.isLoggingIn)
    _ = session.type("login ann")
    #expect(session.isLoggingIn)
    _ = session.take(#"{"type":"didLogin","re":"exec-1","name":"ann","token":"t1"}"#)
    #expect(!session.isLoggingIn)
  }

  @Test func `a request that ended with its session is made again, and the program sees nothing`() {
    for (command, code) in [("start bob", ""), ("open", #","code":"abc234""#)] {
      var session = loggedIn()
      let queued =
        #"{"type":"didQueue","game":"tictactoe""# + (code.isEmpty ? #","opponent":"bob""# : code)
      _ = session.type(command)
      _ = session.take(queued.replacing(#"Queue","#, with: #"Queue","re":"exec-2","#) + "}")
      resume(&session, at: nil)
      let again = settle(&session)
      #expect(again.count == 1)
      #expect(again.first?.contains(code.isEmpty ? #""opponent":"bob""# : #""open""#) == true)
      let reply = queued.replacing(#"Queue","#, with: #"Queue","re":"exec-3","#) + "}"
      #expect(session.take(reply) == .hidden)
      // A friend has to get the new code.
      if !code.isEmpty {
        resume(&session, at: nil)
        _ = settle(&session)
        let new = reply.replacing("abc234", with: "xyz567").replacing("exec-3", with: "exec-5")
        let shown = queued.replacing("abc234", with: "xyz567") + "}"
        #expect(session.take(new) == .line(Array(shown.utf8)))
      }
    }
  }

  @Test func `a request that cannot be made again is reported as cancelled`() {
    var session = loggedIn()
    _ = session.type("start bob")
    _ = session.take(
      #"{"type":"didQueue","re":"exec-2","game":"tictactoe","opponent":"bob"}"#)
    resume(&session, at: nil)
    _ = settle(&session)
    #expect(
      session.take(#"{"type":"error","re":"exec-3","code":"unknownPlayer","message":"Gone."}"#)
        == .line(Array(#"{"type":"didCancel"}"#.utf8)))
    resume(&session, at: nil)
    #expect(settle(&session) == [])
  }

  @Test func `a spectator watches again`() {
    var session = loggedIn()
    _ = session.type("watch m")
    _ = session.take(
      Self.snapshot(#""...","...","...""#, you: false)
        .replacing(#"Snapshot","#, with: #"Snapshot","re":"exec-2","#))
    resume(&session, at: nil)
    #expect(settle(&session).last == #"{"type":"watch","id":"exec-3","match":"m"}"#)
    let snapshot = Self.snapshot(#""X..","...","...""#, you: false)
    #expect(
      session.take(snapshot.replacing(#"Snapshot","#, with: #"Snapshot","re":"exec-3","#))
        == .line(Array(snapshot.utf8)))
    #expect(session.seq == 40)
    resume(&session, at: nil)
    let id = settle(&session).last?.firstMatch(of: /exec-\d+/)?.0 ?? ""
    #expect(
      session.take(#"{"type":"error","re":"\#(id)","code":"unknownMatch","message":"Over."}"#)
        == .line(Array(#"{"type":"didLeave"}"#.utf8)))
  }

  @Test func `the program is told of invitations and requests that have ended meanwhile`() {
    var session = loggedIn()
    _ = session.take(#"{"type":"invited","from":"bob","game":"four"}"#)
    _ = session.take(#"{"type":"invited","from":"eve","game":"four"}"#)
    _ = session.take(#"{"type":"didQueue","game":"tictactoe"}"#)
    resume(&session, at: .playing)
    _ = session.take(#"{"type":"invited","from":"eve","game":"four","expires":9}"#)
    _ = settle(&session)
    #expect(
      texts(session.takeEnded()) == [
        #"{"type":"invitationDidEnd","from":"bob","game":"four"}"#, #"{"type":"didCancel"}"#,
      ])
    #expect(session.takeEnded().isEmpty)
  }

  @Test(arguments: [
    (ByeCode.shutdown, true), (.full, true), (.idle, true), (.flood, false), (.tooSlow, false),
    (.kicked, false), (.banned, false), (.takenOver, false),
  ])
  func `only a server's own reason to close lets the session continue`(
    code: ByeCode, continues: Bool
  ) {
    let line = ScriptedServer.text(of: .bye(code, message: "It ends.", retry: .seconds(1)))
    for isLoggedIn in [true, false] {
      var session = isLoggedIn ? loggedIn() : ProgramSession()
      let reception = session.take(line)
      if continues, isLoggedIn {
        #expect(reception == .hidden)
      } else {
        #expect(
          reception == .line(nil, .bye(code, message: "It ends.", retry: .seconds(1))))
      }
    }
    var session = loggedIn()
    #expect(
      session.take(ScriptedServer.text(of: .bye(code)))
        == .line(nil, .bye(code, message: code.message)))
  }

  @Test(arguments: [false, true])
  func `the next start takes the session up, and what follows the login waits`(hasID: Bool) {
    var session = ProgramSession { $0 == "ann" ? "kept" : nil }
    let id = hasID ? "7" : #""exec-1""#
    #expect(
      session.type(hasID ? #"{"type":"login","id":7,"name":"ann"}"# : "login ann")
        == #"{"type":"resume","id":\#(id),"token":"kept"}"#)
    #expect(session.type("start bot") == nil)
    let reply = #"{"type":"didLogin","re":\#(id),"name":"ann","token":"t","place":"playing"}"#
    let shown = reply.replacing(#","re":"exec-1""#, with: "")
    let received = session.take(reply)
    #expect(received == .line(hasID ? nil : Array(shown.utf8)))
    #expect(
      texts(session.takeDue()) == [
        #"{"type":"start","id":"exec-\#(hasID ? 1 : 2)","opponent":"bot"}"#
      ])
    #expect(session.token == "t")
  }

  @Test func `an earlier session that is over is replaced by a login`() {
    var session = ProgramSession { _ in "kept" }
    _ = session.type("login ann")
    _ = session.type("start bot")
    #expect(
      session.take(#"{"type":"error","re":"exec-1","code":"unknownToken","message":"Over."}"#)
        == .hidden)
    #expect(
      texts(session.takeDue()) == [
        #"{"type":"login","id":"exec-1","name":"ann"}"#,
        #"{"type":"start","id":"exec-2","opponent":"bot"}"#,
      ])
    #expect(
      session.take(#"{"type":"didLogin","re":"exec-1","name":"ann","token":"t"}"#)
        == .line(Array(#"{"type":"didLogin","name":"ann","token":"t"}"#.utf8)))
  }

  @Test func `an earlier session at another server is taken up there`() {
    var session = ProgramSession { _ in "kept" }
    let resume = session.type("login ann")
    _ = session.type("start")
    session.willMove()
    #expect(session.didMove(with: Login(name: "", token: nil, place: nil)) == nil)
    #expect(settle(&session) == [resume])
    _ = session.take(#"{"type":"didLogin","re":"exec-1","name":"ann","token":"t"}"#)
    #expect(session.takeDue().count == 1)
    #expect(!session.isMoving)
  }

  @Test func `a login without a name begins a new session`() {
    var session = ProgramSession { _ in "kept" }
    #expect(session.type("login") == #"{"type":"login","id":"exec-1"}"#)
  }
}

extension ProgramSession {
  mutating func type(_ line: String) -> String? {
    send(Array("\(line)\n".utf8)).map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  mutating func take(_ line: String) -> Reception {
    var decoder = EventDecoder()
    let bytes = Array(line.utf8)
    return receive(bytes.span, try? decoder.decode(bytes.span))
  }
}
