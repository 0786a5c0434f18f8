import Shared
import TestSupport
import Testing

@testable import Client

/// A dead link is noticed within ten seconds, also one that never says that it is.
@Suite struct ServerLinkPulseTests {
  private let wire = TestLink()
  private let witness: LinkWitness

  init() {
    witness = LinkWitness(wire.link)
    wire.start()
    wire.server.greet()
  }

  private func ping(_ id: Int) -> String { #"{"type":"ping","id":\#(id)}"# }

  @Test func `where nothing else is sent a sign of life is, whether or not anything comes`() {
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

  @Test func `who sends commands needs no other sign of life`() {
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
  func `a server that sends the silent away gets one twice in its time, within reason`(
    idle: Duration, pulse: Duration
  ) {
    let wire = TestLink()
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

  @Test func `without an answer the link is lost ten seconds after the last one sent`() {
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

  @Test func `so it is while everything else arrives, and where commands follow one another`() {
    for second in 1...10 {
      #expect(wire.link.isOpen)
      wire.clock.advance(by: .seconds(1))
      wire.server.say(.didCancel)
      if second.isMultiple(of: 4) { wire.link.send(.cancel) }
    }
    #expect(witness.states.last == .closed(.silent))
    #expect(wire.isClosedByClient)
  }

  @Test func `at a server with little patience a dead way is not taken for lost any sooner`() {
    let wire = TestLink()
    wire.start()
    wire.server.greet(idle: .seconds(2))
    wire.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(wire.link.isOpen)
    wire.clock.advance(by: .milliseconds(1))
    #expect(!wire.link.isOpen)
    #expect(wire.clock.next == nil)
  }

  @Test func `what was asked of it fails with it`() {
    var answers: [Event?] = []
    wire.clock.advance(by: .seconds(1))
    wire.link.send(.cancel) { answers.append($0) }
    wire.clock.advance(by: .seconds(9) - .milliseconds(1))
    #expect(answers.isEmpty)
    wire.clock.advance(by: .milliseconds(1))
    #expect(answers == [nil])
  }

  @Test func `a server that answers none of very many commands is given up at once`() {
    var unanswered = 0
    for _ in 0..<ServerLink.maxUnansweredCommands {
      wire.link.send(.cancel) { if $0 == nil { unanswered += 1 } }
    }
    #expect(wire.link.isOpen)
    wire.link.send(.cancel) { if $0 == nil { unanswered += 1 } }
    #expect(witness.states.last == .closed(.silent))
    #expect(unanswered == ServerLink.maxUnansweredCommands + 1)
  }

  @Test func `so is one that answers all of them and reads none`() {
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
