import Shared
import TestSupport
import Testing

@testable import Client

/// The link's pings, which detect a dead connection within ten seconds.
@Suite struct ServerLinkKeepaliveTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder

  init() {
    recorder = LinkRecorder(fixture.link)
    fixture.start()
    fixture.server.greet()
  }

  private func ping(_ id: Int) -> String { #"{"type":"ping","id":\#(id)}"# }

  @Test func `an idle link sends a ping every five seconds, even while events arrive`() {
    for id in 1...20 {
      fixture.clock.advance(by: .seconds(4))
      fixture.server.send(.didCancel())
      #expect(fixture.server.takeLines().isEmpty)
      fixture.clock.advance(by: .seconds(1))
      #expect(fixture.server.takeLines() == [ping(id)])
      fixture.server.answer(.pong)
    }
    #expect(fixture.link.isOpen)
  }

  @Test func `a link that sends commands sends no pings`() {
    for id in 1...20 {
      fixture.clock.advance(by: .seconds(4))
      fixture.link.send(.cancel)
      #expect(fixture.server.takeLines() == [#"{"type":"cancel","id":\#(id)}"#])
      fixture.server.answer(.didCancel())
    }
    #expect(fixture.link.isOpen)
  }

  @Test(arguments: [
    (Duration.seconds(60), Duration.seconds(5)), (.seconds(10), .seconds(5)),
    (.seconds(2), .seconds(1)), (.milliseconds(500), .milliseconds(250)),
    (.zero, .milliseconds(100)),
  ])
  func `the ping interval is half of the server's idle timeout, from 0.1 to 5 seconds`(
    idle: Duration, pulse: Duration
  ) {
    let fixture = LinkFixture()
    fixture.start()
    fixture.server.greet(idle: idle)
    for _ in 0..<20 {
      fixture.clock.advance(by: pulse - .milliseconds(1))
      #expect(fixture.server.takeLines().isEmpty)
      fixture.clock.advance(by: .milliseconds(1))
      fixture.server.answer(.pong)
    }
    #expect(fixture.link.isOpen)
  }

  @Test func `the link closes ten seconds after the last answer`() {
    fixture.clock.advance(by: .seconds(2))
    fixture.link.send(.cancel)
    fixture.server.answer(.didCancel())
    fixture.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(fixture.link.isOpen)
    #expect(fixture.server.takeLines() == [ping(2)])
    fixture.clock.advance(by: .milliseconds(1))
    #expect(recorder.states.last == .closed(.silent))
    #expect(fixture.isClosedByClient)
    #expect(fixture.clock.next == nil)
  }

  @Test func `the link closes without answers, even while events arrive`() {
    for second in 1...10 {
      #expect(fixture.link.isOpen)
      fixture.clock.advance(by: .seconds(1))
      fixture.server.send(.didCancel())
      if second.isMultiple(of: 4) { fixture.link.send(.cancel) }
    }
    #expect(recorder.states.last == .closed(.silent))
    #expect(fixture.isClosedByClient)
  }

  @Test func `a short idle timeout of the server does not shorten the answer timeout`() {
    let fixture = LinkFixture()
    fixture.start()
    fixture.server.greet(idle: .seconds(2))
    fixture.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(fixture.link.isOpen)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(!fixture.link.isOpen)
    #expect(fixture.clock.next == nil)
  }

  @Test func `pending commands fail when the link closes`() {
    var answers: [Event?] = []
    fixture.clock.advance(by: .seconds(1))
    fixture.link.send(.cancel) { answers.append($0) }
    fixture.clock.advance(by: .seconds(9) - .milliseconds(1))
    #expect(answers.isEmpty)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(answers == [nil])
  }

  @Test func `too many unanswered commands close the link at once`() {
    var unanswered = 0
    for _ in 0..<ServerLink.maxUnansweredCommands {
      fixture.link.send(.cancel) { if $0 == nil { unanswered += 1 } }
    }
    #expect(fixture.link.isOpen)
    fixture.link.send(.cancel) { if $0 == nil { unanswered += 1 } }
    #expect(recorder.states.last == .closed(.silent))
    #expect(unanswered == ServerLink.maxUnansweredCommands + 1)
  }

  @Test func `a ping that is one command too many closes the link for good`() {
    for _ in 0..<ServerLink.maxUnansweredCommands { fixture.link.send(.cancel) }
    fixture.clock.advance(by: .seconds(5))
    #expect(recorder.states.last == .closed(.silent))
    #expect(!fixture.link.isOpen)
    #expect(fixture.clock.next == nil)
  }

  @Test func `too many unsent bytes close the link`() {
    var sent = 0
    while fixture.link.isOpen, sent < 100_000 {
      sent += 1
      fixture.link.send(.cancel)
      fixture.deliver([.didCancel()], re: .integer(sent))
    }
    #expect(recorder.states.last == .closed(.silent))
    #expect(sent < ServerLink.maxUnsent / 15)
  }
}
