import Shared
import Testing

@testable import Client

/// Commands of a program whose replies were lost, and which may have been carried out.
@Suite struct ProgramRepetitionTests {
  private static let id = RequestID.text("exec-1")

  private func loggedIn() -> ProgramSession {
    var session = ProgramSession()
    _ = session.type("login ann")
    _ = session.take(#"{"type":"didLogin","re":"exec-1","name":"ann","token":"t1"}"#)
    return session
  }

  private func resume(_ session: inout ProgramSession, at place: SessionPlace?) {
    session.willMove()
    _ = session.didMove(with: Login(name: "ann", token: "t2", place: place))
  }

  private func settle(_ session: inout ProgramSession) -> [String] {
    session.didRepeatAll().map(text)
  }

  private func text(_ line: [UInt8]) -> String {
    String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// The password was changed before the connection was lost, or was not.
  @Test(arguments: [false, true])
  func `a change of the password without a reply is tried with both old ones`(wasMade: Bool) {
    var session = loggedIn()
    _ = session.take(ProgramReturnTests.start)
    let line = #"{"type":"register","id":7,"password":"sesame-2","old":"sesame-1"}"#
    _ = session.type(line)
    resume(&session, at: .playing)
    #expect(settle(&session) == [line])
    let refusal = #"{"type":"error","re":7,"code":"wrongPassword","message":"Wrong."}"#
    if wasMade {
      #expect(session.take(refusal) == .hidden)
      #expect(session.takeDue().map(text) == [line.replacing("sesame-1", with: "sesame-2")])
      #expect(session.take(#"{"type":"didRegister","re":7,"name":"ann"}"#) == .line(nil))
      #expect(session.credentials?.password == "sesame-2")
    } else {
      _ = session.take(refusal)
      _ = session.takeDue()
      // Both are wrong, so the program has to know.
      #expect(session.take(refusal).isError)
    }
  }

  @Test(arguments: [false, true])
  func `a request that was withdrawn without a reply is withdrawn`(hasID: Bool) {
    var session = loggedIn()
    _ = session.take(ProgramReturnTests.start)
    _ = session.type(hasID ? #"{"type":"cancel","id":7}"# : "cancel")
    resume(&session, at: .playing)
    let id = hasID ? "7" : #""exec-2""#
    #expect(settle(&session) == [#"{"type":"cancel","id":\#(id)}"#])
    let refusal = #"{"type":"error","re":\#(id),"code":"notWaiting","message":"No."}"#
    let reply = #"{"type":"didCancel"\#(hasID ? #","re":7"# : "")}"#
    #expect(session.take(refusal) == .line(Array(reply.utf8)))
    // A program that withdraws what is not there hears of it.
    _ = session.type(#"{"type":"cancel","id":8}"#)
    #expect(session.take(refusal.replacing(id, with: "8")).isError)
  }

  @Test(arguments: [nil, SessionPlace.lobby])
  func `an acceptance means the game of the invitation, also in a new session`(
    place: SessionPlace?
  ) {
    var session = loggedIn()
    _ = session.take(#"{"type":"invited","from":"bob","game":"connect","expires":120000}"#)
    let line = #"{"type":"start","id":7,"opponent":"bob"}"#
    _ = session.type(line)
    _ = session.type(#"{"type":"start","id":8,"opponent":"eve"}"#)
    resume(&session, at: place)
    let accepted = line.replacing("}", with: #","game":"connect"}"#)
    #expect(settle(&session).first == (place == nil ? accepted : line))
  }

  /// The server replies with the end of the game. That of the match has no `re`.
  @Test(arguments: [false, true])
  func `a match that a program has left is not left again`(isLostBetween: Bool) {
    var session = loggedIn()
    _ = session.take(ProgramReturnTests.start)
    _ = session.type("leave")
    _ = session.take(
      #"{"type":"gameDidEnd","re":"exec-2","match":"m","seq":2,"result":"win","winner":"O","#
        + #""reason":"left","score":{"X":0,"O":1,"draws":0}}"#)
    if isLostBetween {
      resume(&session, at: nil)
      #expect(settle(&session) == [])
    } else {
      _ = session.take(ProgramReturnTests.end)
    }
    _ = session.take(ProgramReturnTests.start.replacing(#""match":"m""#, with: #""match":"n""#))
    resume(&session, at: .playing)
    #expect(settle(&session) == [])
  }

  private static func snapshot(of match: String, seq: Int = 1, games: Int = 0) -> String {
    #"{"type":"matchSnapshot","you":"X","match":"\#(match)","seq":\#(seq),"game":"tictactoe","#
      + #""players":{"X":"ann","O":"bot"},"rows":3,"cols":3,"inARow":3,"#
      + #""board":["...","...","..."],"over":false,"turn":"X","score":{"X":\#(games),"O":0,"draws":0},"#
      + #""online":{"X":true,"O":true}}"#
  }

  /// A snapshot that is the reply to the `start`.
  private static func answered(_ snapshot: String) -> String {
    snapshot.replacing("Snapshot\",", with: "Snapshot\",\"re\":8,")
  }

  private let didLeave = #"{"type":"didLeave","re":7}"#
  private let leave = #"{"type":"leave","id":7}"#
  private let start = #"{"type":"start","id":8,"opponent":"bot"}"#

  private func leaving() -> ProgramSession {
    var session = loggedIn()
    _ = session.take(ProgramReturnTests.start)
    _ = session.type(leave)
    _ = session.type(start)
    return session
  }

  @Test func `a match that was begun after a leave is not left, although both replies are lost`() {
    var session = leaving()
    // The numbers of the events say nothing of another match.
    #expect(session.credentials?.kept?.seq == nil)
    resume(&session, at: .playing)
    let new = Self.snapshot(of: "n")
    #expect(session.take(new) == .line(Array("\(didLeave)\n\(Self.answered(new))".utf8)))
    #expect(settle(&session) == [])
  }

  @Test func `a leave that was lost is sent again, and so is the start after it`() {
    var session = leaving()
    resume(&session, at: .playing)
    #expect(session.take(Self.snapshot(of: "m")) == .hidden)
    #expect(settle(&session) == [leave, start])
  }

  @Test(arguments: [SessionPlace.lobby, .waiting])
  func `a leave that led to the lobby is done`(place: SessionPlace) {
    var session = leaving()
    resume(&session, at: place)
    let lines = settle(&session)
    #expect(lines == (place == .lobby ? [start] : []))
    #expect(session.takeEnded().map(text) == [didLeave])
  }

  @Test func `of several matches without a word, the last one is not left`() {
    var session = loggedIn()
    _ = session.type(start.replacing("8", with: "6"))
    _ = session.type(leave)
    _ = session.type(start)
    resume(&session, at: .playing)
    let new = Self.snapshot(of: "n")
    let replies = "{\"type\":\"didCancel\",\"re\":6}\n\(didLeave)\n"
    #expect(session.take(new) == .line(Array("\(replies)\(Self.answered(new))".utf8)))
    #expect(settle(&session) == [])
  }

  /// More events were missed than the server keeps.
  @Test(arguments: [0, 1], ["resign", "place 0 2"])
  func `what was meant for one game is not done in the next one`(games: Int, command: String) {
    var session = loggedIn()
    _ = session.take(ProgramReturnTests.start)
    _ = session.type(command)
    resume(&session, at: .playing)
    let snapshot = Self.snapshot(of: "m", seq: 40, games: games)
    #expect(session.take(snapshot) == .line(nil))
    #expect(settle(&session).count == 1 - games)
  }

  @Test func `a leave that is refused because there is no match is done`() {
    var session = leaving()
    resume(&session, at: .playing)
    _ = settle(&session)
    #expect(
      session.take(#"{"type":"error","re":7,"code":"notInMatch","message":"No."}"#)
        == .line(Array(didLeave.utf8)))
  }

  /// The session of the lost connection may have it.
  @Test func `a login without a reply waits for its name, and the next lines for the login`() {
    var session = ProgramSession()
    _ = session.type("login ann")
    _ = session.type("start bot")
    session.willMove()
    #expect(session.didMove(with: Login(name: "", token: nil, place: nil)) == nil)
    let login = #"{"type":"login","id":"exec-1","name":"ann"}"#
    #expect(settle(&session) == [login])
    let taken = #"{"type":"error","re":"exec-1","code":"nameTaken","message":"Taken."}"#
    #expect(session.take(taken) == .refused(Self.id))
    #expect(session.login(Self.id).map { text($0) } == login)
    _ = session.take(#"{"type":"didLogin","re":"exec-1","name":"ann","token":"t"}"#)
    #expect(
      session.takeDue().map(text) == [#"{"type":"start","id":"exec-2","opponent":"bot"}"#])
    #expect(session.login(Self.id) == nil)
  }

  @Test(arguments: [false, true])
  func `a program hears that its name is taken`(isSentAgain: Bool) {
    var session = ProgramSession()
    _ = session.type("login ann")
    let taken = #"{"type":"error","re":"exec-1","code":"nameTaken","message":"Taken."}"#
    if isSentAgain {
      session.willMove()
      _ = session.didMove(with: Login(name: "", token: nil, place: nil))
      _ = settle(&session)
      for _ in 1...30 { #expect(session.take(taken) == .refused(Self.id)) }
    }
    #expect(session.take(taken).isError)
    #expect(!session.isMoving)
  }
}

extension ProgramSession.Reception {
  /// Whether the program and the person see an error.
  fileprivate var isError: Bool { if case .line(_, .error?) = self { true } else { false } }
}
