import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct TraceTests {
  private let book = LogRecorder()

  private func trace() -> [String] {
    book.take().filter { $0.hasPrefix("trace ") }.map { String($0.dropFirst("trace ".count)) }
  }

  @Test func `every line in and out is logged with its session, in its decoded form`() {
    let server = TestServer(log: book.log(.trace))
    let ann = server.client()
    _ = book.take()
    ann.say("login ann")
    ann.say(#"{"type":"ping","id":7,"more":[1]}"#)
    ann.say("pong")
    ann.say("")
    #expect(
      trace() == [
        #"in connection=1: {"type":"login","name":"ann"}"#,
        #"out connection=1 session=ann: {"type":"didLogin","name":"ann","token":"***"}"#,
        #"in connection=1 session=ann: {"type":"ping","id":7}"#,
        #"out connection=1 session=ann: {"type":"pong","re":7}"#,
        "in connection=1 session=ann bytes=4 unreadable=unknownType",
        #"out connection=1 session=ann: {"type":"error","code":"unknownType","message":"\#(ErrorCode.unknownType.message)"}"#,
      ])
  }

  @Test func `an event of a match is logged as each client's own copy`() {
    let server = TestServer(log: book.log(.trace))
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    ann.say("start")
    _ = book.take()
    bob.say(#"{"type":"start","id":"b"}"#)
    let start = trace().filter { $0.contains("gameDidStart") }
    #expect(start.count == 2)
    #expect(start[0].hasPrefix(#"out connection=1 session=ann: {"type":"gameDidStart","you":"X","#))
    #expect(
      start[1].hasPrefix(
        #"out connection=2 session=bob: {"type":"gameDidStart","re":"b","you":"O","#))
  }

  @Test(arguments: LogLine.Format.allCases, [1, 2, 3])
  func `tokens and passwords are never logged`(format: LogLine.Format, seed: UInt64) throws {
    let server = TestServer(seed: seed, log: book.log(.trace, format))
    var secrets: [String] = []
    let (ann, bob) = try server.players()
    secrets += [ann.token, bob.token]
    for (round, player) in [ann, bob, ann].enumerated() {
      player.cut()
      let old = player.token
      try player.resume(after: round == 0 ? nil : 1)
      secrets.append(player.token)
      // Valid tokens, broken ones, and those of a client that is logged in already.
      let stranger = server.client()
      for line in [
        "resume \(old)", "resume \(old) -1", "resume \(old) 1 2", "resume \"\(old)",
        "RESUME \(old)",
        "resume\u{7F}\(old)", "resume \(old)\u{FF}", #"{"type":"resume","token":"\#(old)"}"#,
        #"{"type":"resume","token":["\#(old)"]}"#, #"{"type":"resume","token":"\#(old)""#,
        #"{"type":"resume","token":"\#(old)","token":"\#(old)"}"#, #"{"token":"\#(old)"}"#,
        #"{"type":"ping","token":"\#(old)"}"#,
        #"{"type":"login","name":"\#(round)","token":"\#(old)"}"#,
        #"{"type":"resume","token":"\#(player.token)","seq":"x"}"#, "\(old)",
      ] { stranger.say(line) }
      player.client.say("resume \(player.token)")
    }
    let zoe = server.client()
    zoe.say("login \"a\nlogin bot hunter2secret\nlogin zoe hunter2secret")
    zoe.say(#"{"type":"login","name":"zoe","password":"hunter2secret"}"#)
    secrets.append("hunter2secret")
    #expect(Set(secrets).count == 6)
    let all = book.take().joined(separator: "\n")
    #expect(all.contains("***"))
    for secret in secrets { #expect(!all.contains(secret)) }
  }

  @Test func `a chat message stays one line and cannot control a terminal`() {
    let server = TestServer(log: book.log(.trace))
    let (ann, _) = server.match("ann\u{301}", "bob")
    _ = book.take()
    ann.say(#"{"type":"say","text":"a\u202e\u2028b"}"#)
    ann.say(#"{"type":"start","opponent":"x\u001b[2J\n"}"#)
    ann.say("say \u{1B}[2J")
    let lines = book.take()
    #expect(lines.contains { $0.contains(#""text":"a\u{202e}\u{2028}b""#) })
    #expect(lines.contains { $0.contains(#""opponent":"x\u001b[2J\u000a""#) })
    let categories = lines.joined().unicodeScalars.map(\.properties.generalCategory)
    #expect(!categories.contains { [.control, .format, .lineSeparator].contains($0) })
  }
}
