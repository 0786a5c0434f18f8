import Shared
import TestSupport
import Testing

@testable import Client

/// What something on the way has damaged ends a connection, but no session: the client resumes it.
@Suite struct DamagedLineTests {
  private static let damaged = [
    "%%%", "{", #"{"type":"boardDidChange","ma"#, "HTTP/1.1 502 Bad Gateway", "[]", "\u{0}",
    #"{"type":"boardDidChange","match":"m","seq":2,"hash":"no number"}"#,
    #"{"type":"boardDidChange","match":"m","seq":"2"}"#, #"{"type":7}"#,
    #"{"type":"matchSnapshot","match":"m","seq":2}"#,
    String(repeating: "x", count: 70_000),
  ]

  /// Lets the client connect again, and takes its first line there.
  private func reconnect(_ client: RemoteApp) -> String? {
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    return client.server.takeLines().first
  }

  @Test(arguments: damaged, [false, true])
  func `a damaged line ends no match`(line: String, isInteractive: Bool) throws {
    let client = RemoteApp.inGame(isInteractive: isInteractive)
    let game = try #require(client.app.currentRouter)
    client.server.send(line: line)
    #expect(client.app.exitReports.isEmpty)
    #expect(
      reconnect(client)?.hasPrefix(#"{"type":"resume","id":2,"token":"secret","seq":1"#) == true)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.move(5)
    client.server.move(1)
    #expect(client.app.currentRouter === game)
    client.app.type("9")
    #expect(client.server.takeLines().last?.contains(#""type":"place""#) == true)
    #expect(!client.app.terminal.takeOutput().contains("is over"))
  }

  @Test func `a match whose events contradict each other goes on with the server's snapshot`() {
    let client = RemoteApp.inGame()
    // Each of the two numbers was damaged, so no event follows another.
    client.server.send(client.server.snapshot(x: "eve"))
    #expect(reconnect(client) == #"{"type":"resume","id":2,"token":"secret"}"#)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(client.server.snapshot())
    client.app.type("9")
    #expect(client.server.takeLines().last?.contains(#""type":"place""#) == true)
  }

  @Test(arguments: [ByeCode.quit, .shutdown, .badProtocol, .kicked, .takenOver], [false, true])
  func `a goodbye before the session is resumed says nothing of it`(
    code: ByeCode, hasGreeting: Bool
  ) {
    let client = RemoteApp.inGame()
    let game = client.app.currentRouter
    client.server.cut()
    for _ in 1...3 {
      client.app.clock.advance(by: Backoff.max)
      if hasGreeting { client.server.greet() }
      client.server.send(.bye(code, message: "Goodbye."))
      #expect(client.app.currentRouter === game)
    }
    #expect(reconnect(client)?.contains(#""token":"secret""#) == true)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.move(5)
    client.server.move(1)
    client.app.type("9")
    #expect(client.server.takeLines().last?.contains(#""type":"place""#) == true)
  }

  @Test func `after a while such a goodbye shows the form, and the session is kept`() {
    let client = RemoteApp.inGame()
    client.server.cut()
    for _ in 0..<20 where !(client.app.currentRouter is LoggedOutRouter) {
      client.app.clock.advance(by: Backoff.max)
      client.server.greet()
      client.server.send(.bye(.quit, message: "Goodbye."))
    }
    #expect(client.app.currentRouter is LoggedOutRouter)
    let output = client.app.terminal.takeOutput().split(separator: "\n").joined(separator: " ")
    #expect(output.contains("Your match with bob may still go on."))
  }

  @Test func `a damaged line in the lobby is a lost connection`() {
    let client = RemoteApp.inLobby()
    let offGame = client.app.currentRouter
    client.server.send(line: "%%%")
    #expect(reconnect(client) == #"{"type":"resume","id":2,"token":"secret"}"#)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
    #expect(client.app.currentRouter === offGame)
  }

  @Test func `a server that sends nothing but nonsense loses the client, but not the session`() {
    let client = RemoteApp.inGame()
    for _ in 0..<SlidingWindow.damage.max {
      client.server.send(line: "%%%")
      _ = reconnect(client)
      client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    }
    client.discardOutput()
    client.server.send(line: "%%%")
    #expect(client.app.currentRouter is LoggedOutRouter)
    let output = client.app.terminal.takeOutput().split(separator: "\n").joined(separator: " ")
    #expect(output.contains("Your match with bob may still go on."))
    #expect(!output.contains("is over"))
  }

  @Test func `damage that is long ago is not counted`() {
    var limiter = SlidingWindow.damage
    let moments = (0..<SlidingWindow.damage.max).map { Duration.seconds($0) }
    let later = [SlidingWindow.damage.time - .milliseconds(1), SlidingWindow.damage.time]
    let answers = (moments + later).map { limiter.allows(at: $0) }
    #expect(answers == moments.map { _ in true } + [false, true])
  }
}
