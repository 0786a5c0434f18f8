import Shared
import TestSupport
import Testing

@testable import Client

/// A link that a server sends to another server.
@Suite struct ServerLinkMoveTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder
  private let node = ServerAddress(host: "node2", port: 7_001)

  init() {
    recorder = LinkRecorder(fixture.link)
    fixture.start()
    fixture.server.greet()
  }

  @Test func `a link follows to the other server`() {
    fixture.server.send(.moved(to: "node2:7001"))
    #expect(recorder.states.last == .moved(node))
    #expect(fixture.link.target == node)
    fixture.clock.advance(by: .zero)
    #expect(recorder.states.last == .connecting)
    fixture.server.greet()
    #expect(fixture.link.isOpen)
    #expect(fixture.link.address == node)
    #expect(fixture.hosts == ["example.org", "node2"])
  }

  @Test func `the server can ask for a moment before the next connection`() {
    fixture.server.send(
      .bye(.moved, message: "Go.", retry: .milliseconds(500), to: "node2:7001"))
    fixture.clock.advance(by: .milliseconds(499))
    #expect(fixture.attemptCount == 1)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(fixture.attemptCount == 2)
  }

  @Test(arguments: [
    nil, "", "node2", "node2:0", "node2:70000", "::1:7777", "[::1]", "a b:7777", ":7777",
    "n\u{E9}de:7777", String(repeating: "n", count: 254) + ":7777",
  ])
  func `without an address the connection counts as lost`(to: String?) {
    fixture.server.send(.bye(.moved, message: "Go.", retry: .zero, to: to))
    #expect(recorder.states.last == .closed(.lost))
  }

  @Test func `an address that is no text is none`() {
    fixture.deliver(
      bytes: Array("{\"type\":\"bye\",\"code\":\"moved\",\"message\":\"Go.\",\"to\":7}\n".utf8))
    #expect(recorder.states.last == .closed(.lost))
  }

  @Test func `the other server uses TLS if this one does`() {
    fixture.link.connect(to: ServerAddress(host: "example.org", port: 7_777, usesTLS: true))
    fixture.server.greet()
    fixture.server.send(.moved(to: "node2:7001"))
    #expect(fixture.link.target == ServerAddress(host: "node2", port: 7_001, usesTLS: true))
  }

  @Test(arguments: [false, true])
  func `an address keeps TLS as it is`(usesTLS: Bool) {
    #expect(
      ServerAddress("[2001:db8::1]:7001", usesTLS: usesTLS)
        == ServerAddress(host: "2001:db8::1", port: 7_001, usesTLS: usesTLS))
  }

  @Test func `servers that move a session in a circle count as lost`() {
    for _ in 0..<SlidingWindow.moves.max {
      fixture.server.send(.moved(to: "node2:7001"))
      fixture.clock.advance(by: .zero)
      fixture.server.greet()
    }
    #expect(fixture.link.isOpen)
    fixture.server.send(.moved(to: "node2:7001"))
    #expect(recorder.states.last == .closed(.lost))
  }

  @Test(arguments: [false, true])
  func `moves with logins or with time between them do not count`(logsIn: Bool) {
    for _ in 0...(2 * SlidingWindow.moves.max) {
      fixture.server.send(.moved(to: "node2:7001"))
      fixture.clock.advance(by: logsIn ? .zero : .seconds(1))
      fixture.server.greet()
      if logsIn { fixture.server.send(.didLogin(name: "ann", token: "t")) }
    }
    #expect(fixture.link.isOpen)
  }

  @Test func `disconnecting cancels the move`() {
    fixture.server.send(.moved(to: "node2:7001"))
    fixture.link.disconnect()
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.attemptCount == 1)
    #expect(recorder.states.last == .idle)
  }

  @Test func `commands wait for the session, and fail with the connection`() {
    var answers: [Event?] = []
    fixture.link.send(.start(opponent: nil, game: nil)) { answers.append($0) }
    fixture.server.send(.moved(to: "node2:7001"))
    fixture.link.send(.cancel) { answers.append($0) }
    fixture.clock.advance(by: .zero)
    fixture.server.greet()
    fixture.link.send(.ping)
    #expect(fixture.server.takeLines() == [#"{"type":"ping","id":2}"#])
    #expect(answers.isEmpty)
    fixture.server.cut()
    #expect(answers == [nil, nil])
  }
}
