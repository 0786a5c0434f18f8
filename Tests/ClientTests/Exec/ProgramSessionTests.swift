import Shared
import Testing

@testable import Client

/// The lines between a program and servers that move its session.
@Suite struct ProgramSessionTests {
  private static let start =
    #"{"type":"gameDidStart","you":"O","match":"m","seq":1,"game":"tictactoe","#
    + #""players":{"X":"bob","O":"ann"},"rows":3,"cols":3,"inARow":3,"#
    + #""board":["...","...","..."],"turn":"X","score":{"X":0,"O":0,"draws":0}}"#
  private static let ping = #"{"type":"ping","id":"exec-9"}"#

  /// A session that has logged in by a command with an `id`.
  private func loggedIn() -> ProgramSession {
    var session = ProgramSession()
    _ = session.send(#"{"type":"login","id":1,"name":"ann"}"#)
    _ = session.take(#"{"type":"didLogin","re":1,"name":"ann","token":"t1"}"#)
    return session
  }

  /// Lets the session move and returns the id of the `ping` that follows.
  private func move(_ session: inout ProgramSession, to place: SessionPlace?) -> String? {
    session.willMove()
    let ping = session.didMove(with: Login(name: "ann", token: "t2", place: place))
    return ping.flatMap { text($0).firstMatch(of: /"id":"(.*)"/)?.1 }.map { String($0) }
  }

  private func text(_ line: [UInt8]) -> String { String(decoding: line.dropLast(), as: UTF8.self) }

  /// Lets the server reply to `ping`, and returns the lines that are sent then.
  private func settle(_ session: inout ProgramSession, _ id: String?) -> [String] {
    guard case .repeated(let lines) = session.take(#"{"type":"pong","re":"\#(id ?? "")"}"#)
    else { return ["nothing"] }
    return lines.map(text)
  }

  @Test(arguments: [
    "nonsense", "", "  ", #"{"type":"login","id":4,"name":"ann","later":1}"#, "place 1",
  ])
  func `a line that is no command, or has an id, is unchanged`(line: String) {
    var session = ProgramSession()
    #expect(session.send(line) == line)
  }

  @Test func `a command without an id gets one, and its reply has none`() {
    var session = ProgramSession()
    #expect(session.send("place 1 1") == #"{"type":"place","id":"exec-1","row":1,"col":1}"#)
    #expect(
      session.take(#"{"type":"error","re":"exec-1","code":"noGame","message":"No \"re\"."}"#)
        == .line(
          Array(#"{"type":"error","code":"noGame","message":"No \"re\"."}"#.utf8),
          .error(.noGame, message: #"No "re"."#)))
  }

  @Test func `a program that waits for no replies is not tracked without end`() {
    var session = ProgramSession()
    for _ in 0..<ProgramSession.maxUnanswered { _ = session.send("ping") }
    #expect(session.send("ping") == "ping")
  }

  @Test(arguments: [false, true])
  func `the reply to a start that was answered by a move is the game`(hasID: Bool) {
    var session = loggedIn()
    _ = session.send(hasID ? #"{"type":"start","id":"go"}"# : "start")
    let id = move(&session, to: .playing)
    #expect(session.token == "t2")
    let reply = Self.start.replacing(
      #""gameDidStart","#, with: hasID ? #""gameDidStart","re":"go","# : #""gameDidStart","#)
    #expect(session.take(Self.start) == .line(hasID ? Array(reply.utf8) : nil))
    #expect(settle(&session, id) == [])
    #expect(session.seq == 1)
  }

  @Test func `a game that begins later is the reply too, and is not asked for again`() {
    var session = loggedIn()
    _ = session.send(#"{"type":"start","id":"go"}"#)
    let id = move(&session, to: .waiting)
    #expect(settle(&session, id) == [])
    let reply = Self.start.replacing(#"Start","#, with: #"Start","re":"go","#)
    #expect(session.take(Self.start) == .line(Array(reply.utf8)))
  }

  @Test func `a watch is sent again, and so are lines that have waited`() {
    var session = loggedIn()
    _ = session.send(#"{"type":"watch","id":"w","match":"m"}"#)
    session.willMove()
    #expect(session.send("say hello") == nil)
    #expect(session.waitingCount == 1)
    _ = session.didMove(with: Login(name: "ann", token: "t2", place: .lobby))
    #expect(
      settle(&session, "exec-1") == [
        #"{"type":"watch","id":"w","match":"m"}"#, #"{"type":"say","id":"exec-2","text":"hello"}"#,
      ])
    #expect(!session.isMoving)
  }

  @Test(arguments: [false, true])
  func `a move without a reply is made exactly once`(wasCarriedOut: Bool) {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.send(#"{"type":"place","id":7,"row":1,"col":1}"#)
    let id = move(&session, to: .playing)
    let change =
      #"{"type":"boardDidChange","match":"m","seq":2,"cells":[{"row":1,"col":1,"mark":"O"}],"#
      + #""turn":"X","hash":"afa687df"}"#
    if wasCarriedOut {
      #expect(
        session.take(change)
          == .line(Array(change.replacing("Change\",", with: "Change\",\"re\":7,").utf8)))
    }
    #expect(
      settle(&session, id)
        == (wasCarriedOut ? [] : [#"{"type":"place","id":7,"row":1,"col":1}"#]))
  }

  @Test func `what the program knows already is not repeated to it`() {
    var session = loggedIn()
    let lines = [
      #"{"type":"invited","from":"bob","game":"tictactoe","expires":5}"#,
      #"{"type":"announcement","text":"Welcome."}"#,
      #"{"type":"didQueue","game":"tictactoe"}"#,
    ]
    for line in lines { #expect(session.take(line) == .line(nil)) }
    let id = move(&session, to: .waiting)
    #expect(session.take(lines[0].replacing("5}", with: "4}")) == .hidden)
    for line in lines.dropFirst() { #expect(session.take(line) == .hidden) }
    let new = #"{"type":"invited","from":"eve","game":"tictactoe"}"#
    #expect(session.take(new) == .line(nil))
    #expect(settle(&session, id) == [])
    // Outside a move, everything is new.
    for line in lines { #expect(session.take(line) == .line(nil)) }
  }

  @Test func `the number of the last event is that of the match that goes on`() {
    var session = loggedIn()
    _ = session.take(Self.start)
    _ = session.take(#"{"type":"didSing","match":"m","seq":2}"#)
    #expect(session.seq == 2)
    _ = session.take(
      #"{"type":"matchDidEnd","match":"m","seq":3,"reason":"left","by":"X","#
        + #""score":{"X":0,"O":0,"draws":0}}"#)
    #expect(session.seq == 0)
    _ = session.take(
      #"{"type":"replayDidStart","match":"m","game":"tictactoe","#
        + #""players":{"X":"bob","O":"ann"},"last":3}"#)
    _ = session.take(Self.start)
    #expect(session.seq == 0)
  }

  @Test func `a program that has not logged in sends its login at the other server`() {
    var session = ProgramSession()
    _ = session.send(#"{"type":"resume","id":1,"token":"old"}"#)
    session.willMove()
    #expect(session.didMove(with: Login(name: "", token: nil, place: nil)) == nil)
    #expect(
      session.didRepeatAll().map(text) == [#"{"type":"resume","id":1,"token":"old"}"#])
  }

  @Test func `only errors and the bye are shown to the person`() {
    var session = ProgramSession()
    #expect(session.take(#"{"type":"pong"}"#) == .line(nil))
    #expect(session.take("no line of this protocol") == .line(nil))
    #expect(
      session.take(#"{"type":"bye","code":"shutdown","message":"It stops."}"#)
        == .line(nil, .bye(.shutdown, message: "It stops.")))
  }
}

extension ProgramSession {
  fileprivate mutating func send(_ line: String) -> String? {
    send(Array("\(line)\n".utf8)).map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }
}
