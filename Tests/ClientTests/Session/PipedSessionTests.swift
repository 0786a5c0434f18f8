import Shared
import TestSupport
import Testing

@testable import Client

/// Whole sessions from a pipe: each line is read in its turn and shown in the output.
@Suite struct PipedSessionTests {
  private func pipe(_ lines: String..., into app: TestApp) {
    app.terminal.feed(Array((lines.joined(separator: "\n") + "\n").utf8))
    app.terminal.end()
  }

  @Test func `a local game has exactly this output`() {
    let app = TestApp.local(isInteractive: false)
    pipe("ann", "", "cancel", "start", "1", "1", "nonsense", "resign", "leave", into: app)
    #expect(
      app.terminal.takeOutput() == """
        First player's name (blank: Player 1): ann
        Second player's name (blank: Player 2): 
        You are ann and Player 2.
        To play against each other, type: start. To play the computer, type: start bot
        > cancel
        You are not waiting for anybody. To play, type: start
        > start
        ann plays X, Player 2 plays O.
         1 | 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
        ann, put X on (1 to 9): 1
        ann puts X on 1.
        (X)| 2 | 3
        ---+---+---
         4 | 5 | 6
        ---+---+---
         7 | 8 | 9
        Player 2, put O on (1 to 9): 1
        That cell already has a mark.
        Player 2, put O on (1 to 9): nonsense
        “nonsense” is not a command. To place your mark, type a number from 1 to 9; \
        to see the commands, type: help
        Player 2, put O on (1 to 9): resign
        Player 2 resigns: ann wins.
        ann: 1, Player 2: 0, draws: 0.
        For the next game, type: start. To leave the match, type: leave
        > leave
        To play against each other, type: start. To play the computer, type: start bot
        > 

        """)
    #expect(app.exitReports == [ExitReport(code: .ok, sentence: nil)])
  }

  @Test func `a mark of the byte order before the first line is no part of it`() {
    let app = TestApp.local(isInteractive: false)
    pipe("\u{FEFF}ann", "bob", into: app)
    #expect(app.terminal.takeOutput().contains("You are ann and bob."))
  }

  @Test func `lines that end with CR and LF are shown and read like others`() {
    let app = TestApp.local(isInteractive: false)
    app.terminal.feed(Array("ann\r\nbob\r\nstart bot\r\n".utf8))
    let output = app.terminal.takeOutput()
    #expect(output.contains("You are ann and bob."))
    #expect(!output.utf8.contains(UInt8(ascii: "\r")))
    #expect(!output.contains("␍"))
  }

  @Test func `a move in a pipe waits for its turn`() {
    let client = RemoteApp(isInteractive: false)
    let (app, server) = (client.app, client.server)
    pipe("ann", "start", "5", into: app)
    #expect(server.takeLines().isEmpty)
    server.greet()
    #expect(server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
    server.answer(.didLogin(name: "ann", token: nil))
    #expect(server.takeLines() == [#"{"type":"start","id":2,"game":"tictactoe"}"#])
    server.beginGame(match: "m", you: .o, x: "bob", o: "ann")
    #expect(server.takeLines().isEmpty)
    server.move(1)
    #expect(server.takeLines() == [#"{"type":"place","id":3,"row":1,"col":1}"#])
    server.move(5)
    #expect(server.takeLines().isEmpty)
    server.move(2)
    #expect(server.takeLines() == [#"{"type":"quit","id":4}"#])
  }

  /// A script in a match, on its turn, whose connection is lost.
  private func scriptInOutage() -> RemoteApp {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.cut()
    client.discardOutput()
    return client
  }

  @Test func `a move in a pipe waits for the end of an outage`() {
    let client = scriptInOutage()
    pipe("5", into: client.app)
    #expect(client.app.terminal.takeOutput() == "")
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(client.server.snapshot())
    #expect(client.server.takeLines().count { $0.contains(#""type":"place""#) } == 1)
  }

  @Test(arguments: [["quit"], [" Q "], ["exit"], []])
  func `quit and the end of the input do not wait for the end of an outage`(lines: [String]) {
    let client = scriptInOutage()
    for line in lines { client.app.terminal.feed(Array((line + "\n").utf8)) }
    client.app.terminal.end()
    #expect(client.app.exitReports == [ExitReport(code: .ok, sentence: nil)])
  }

  @Test func `a cancel in a pipe cancels the wait`() {
    let client = RemoteApp(isInteractive: false)
    let server = client.server
    pipe("ann", "start", "cancel", "start bot", into: client.app)
    server.greet()
    server.answer(.didLogin(name: "ann", token: nil))
    server.answer(.didQueue(game: "tictactoe", opponent: nil))
    #expect(server.takeLines() == [#"{"type":"cancel","id":3}"#])
    server.answer(.didCancel())
    #expect(server.takeLines() == [#"{"type":"start","id":4,"opponent":"bot","game":"tictactoe"}"#])
  }

  @Test func `the end of the input quits a wait for an opponent`() {
    let client = RemoteApp(isInteractive: false)
    let server = client.server
    pipe("ann", "start", into: client.app)
    server.greet()
    server.answer(.didLogin(name: "ann", token: nil))
    server.answer(.didQueue(game: "tictactoe", opponent: nil))
    #expect(server.takeLines() == [#"{"type":"quit","id":3}"#])
  }

  @Test func `an unknown match ends a script with a sentence`() {
    let client = RemoteApp(name: "eve", launchAction: .watch("nope"), isInteractive: false)
    client.app.terminal.end()
    client.server.greet()
    client.server.answer(.didLogin(name: "eve", token: nil))
    #expect(client.server.takeLines() == [#"{"type":"watch","id":2,"match":"nope"}"#])
    client.server.answer(.error(.unknownMatch))
    #expect(client.app.terminal.takeOutput().contains("There is no such match"))
    #expect(client.app.exitReports == [ExitReport(code: .unavailable, sentence: nil)])
    #expect(client.server.takeLines() == [#"{"type":"quit","id":3}"#])
  }

  @Test func `an unknown opponent ends a script`() {
    let client = RemoteApp(
      name: "eve", launchAction: .start(against: .player("nobody")), isInteractive: false)
    client.server.greet()
    client.server.answer(.didLogin(name: "eve", token: nil))
    client.server.answer(.error(.unknownPlayer))
    #expect(client.app.exitReports == [ExitReport(code: .unavailable, sentence: nil)])
  }

  /// A client of a script that watches a match.
  private func watchingScript() -> RemoteApp {
    let client = RemoteApp(name: "eve", launchAction: .watch("m"), isInteractive: false)
    client.server.greet()
    client.server.answer(.didLogin(name: "eve", token: nil))
    client.server.beginGame(match: "m", you: nil)
    client.discardOutput()
    return client
  }

  @Test func `the end of the input ends watching`() {
    let client = watchingScript()
    client.server.move(5)
    #expect(client.app.terminal.takeOutput().contains("ann puts X on 5."))
    client.app.terminal.end()
    #expect(client.server.takeLines() == [#"{"type":"quit","id":3}"#])
  }

  @Test(arguments: ["leave", "QUIT", "q"])
  func `a script that watches can leave or quit at any time`(_ line: String) {
    let client = watchingScript()
    client.app.terminal.feed(Array("nonsense\nboard\n\n\(line)\n".utf8))
    let command = line == "leave" ? line : "quit"
    #expect(client.server.takeLines() == [#"{"type":"\#(command)","id":3}"#])
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("“nonsense” is not a command."))
    #expect(output.contains("7 | 8 | 9"))
  }

  @Test func `a script that watches can chat, and its later commands wait for the lobby`() {
    let client = watchingScript()
    client.app.terminal.feed(Array("say hello\nleave\nstart bot\n".utf8))
    client.app.terminal.end()
    #expect(
      client.server.takeLines() == [
        #"{"type":"say","id":3,"text":"hello"}"#, #"{"type":"leave","id":4}"#,
      ])
    client.server.answer(.didLeave)
    #expect(
      client.server.takeLines().first
        == #"{"type":"start","id":5,"opponent":"bot","game":"tictactoe"}"#)
  }

  @Test(arguments: ["bob", "a\"b"]) func `a refused name ends a script`(_ name: String) {
    let client = RemoteApp(name: name, isInteractive: false)
    client.app.terminal.feed(Array("start\n".utf8))
    client.server.greet()
    if name == "bob" { client.server.answer(.error(.nameTaken, message: "Bob is here.")) }
    #expect(
      client.app.exitReports == [
        ExitReport(
          code: .unavailable,
          sentence: name == "bob" ? "Bob is here." : "A name may not contain double quotes.")
      ])
    #expect(client.server.takeLines() == [#"{"type":"quit","id":\#(name == "bob" ? 2 : 1)}"#])
  }

  @Test func `an empty input quits at the first question`() {
    let local = TestApp.local(isInteractive: false)
    local.terminal.end()
    #expect(local.terminal.takeOutput() == "First player's name (blank: Player 1): \n")
    #expect(local.exitReports == [ExitReport(code: .ok, sentence: nil)])
  }
}
