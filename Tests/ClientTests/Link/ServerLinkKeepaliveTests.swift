import Shared
import TestSupport
import Testing

@testable import Client

/// A dead link is noticed within ten seconds, also one that never says that it is.
@Suite struct ServerLinkKeepaliveTests {
  private let wire = LinkFixture()
  private let witness: LinkWitness

  init() {
    witness = LinkWitness(wire.link)
    wire.start()
    wire.server.greet()
  }

  private func ping(_ id: Int) -> String { #"{"type":"ping","id":\#(id)}"# }

  @Test func `an idle link sends a ping every five seconds, even while events arrive`() {
    for id in 1...20 {
      wire.clock.advance(by: .seconds(4))
      wire.server.say(.didCancel)
      #expect(wire.server.take().isEmpty)
      wire.clock.advance(by: .seconds(1))
      #expect(wire.server.take() == [ping(id)])
      wire.server.answer(.pong)
    }
    #expect(wire.link.isOpen)
  }

  @Test func `a link that sends commands sends no pings`() {
    for id in 1...20 {
      wire.clock.advance(by: .seconds(4))
      wire.link.send(.cancel)
      #expect(wire.server.take() == [#"{"type":"cancel","id":\#(id)}"#])
      wire.server.answer(.didCancel)
    }
    #expect(wire.link.isOpen)
  }

  @Test(arguments: [
    (Duration.seconds(60), Duration.seconds(5)), (.seconds(10), .seconds(5)),
    (.seconds(2), .seconds(1)), (.milliseconds(500), .milliseconds(250)),
    (.zero, .milliseconds(100)),
  ])
  func `the ping interval is half of the server's idle timeout, from 0.1 to 5 seconds`(
    idle: Duration, pulse: Duration
  ) {
    let wire = LinkFixture()
    wire.start()
    wire.server.greet(idle: idle)
    for _ in 0..<20 {
      wire.clock.advance(by: pulse - .milliseconds(1))
      #expect(wire.server.take().isEmpty)
      wire.clock.advance(by: .milliseconds(1))
      wire.server.answer(.pong)
    }
    #expect(wire.link.isOpen)
  }

  @Test func `the link closes ten seconds after the last answer`() {
    wire.clock.advance(by: .seconds(2))
    wire.link.send(.cancel)
    wire.server.answer(.didCancel)
    wire.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(wire.link.isOpen)
    #expect(wire.server.take() == [ping(2)])
    wire.clock.advance(by: .milliseconds(1))
    #expect(witness.states.last == .closed(.silent))
    #expect(wire.isClosedByClient)
    #expect(wire.clock.next == nil)
  }

  @Test func `the link closes without answers, even while events arrive`() {
    for second in 1...10 {
      #expect(wire.link.isOpen)
      wire.clock.advance(by: .seconds(1))
      wire.server.say(.didCancel)
      if second.isMultiple(of: 4) { wire.link.send(.cancel) }
    }
    #expect(witness.states.last == .closed(.silent))
    #expect(wire.isClosedByClient)
  }

  @Test func `a short idle timeout of the server does not shorten the answer timeout`() {
    let wire = LinkFixture()
    wire.start()
    wire.server.greet(idle: .seconds(2))
    wire.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(wire.link.isOpen)
    wire.clock.advance(by: .milliseconds(1))
    #expect(!wire.link.isOpen)
    #expect(wire.clock.next == nil)
  }

  @Test func `pending commands fail when the link closes`() {
    var answers: [Event?] = []
    wire.clock.advance(by: .seconds(1))
    wire.link.send(.cancel) { answers.append($0) }
    wire.clock.advance(by: .seconds(9) - .milliseconds(1))
    #expect(answers.isEmpty)
    wire.clock.advance(by: .milliseconds(1))
    #expect(answers == [nil])
  }

  @Test func `too many unanswered commands close the link at once`() {
    var unanswered = 0
    for _ in 0..<ServerLink.maxUnansweredCommands {
      wire.link.send(.cancel) { if $0 == nil { unanswered += 1 } }
    }
    #expect(wire.link.isOpen)
    wire.link.send(.cancel) { if $0 == nil { unanswered += 1 } }
    #expect(witness.states.last == .closed(.silent))
    #expect(unanswered == ServerLink.maxUnansweredCommands + 1)
  }

  @Test func `too many unsent bytes close the link`() {
    var sent = 0
    while wire.link.isOpen, sent < 100_000 {
      sent += 1
      wire.link.send(.cancel)
      wire.deliver([.didCancel], re: .integer(sent))
    }
    #expect(witness.states.last == .closed(.silent))
    #expect(sent < ServerLink.maxUnsent / 15)
  }
}
