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

  private let ping = #"{"type":"ping"}"#

  @Test func `a server that is silent is asked for a sign of life, and one is enough`() {
    for _ in 0..<20 {
      wire.clock.advance(by: .seconds(5))
      #expect(wire.server.take() == [ping])
      wire.server.answer(.pong)
    }
    #expect(wire.link.isOpen)
  }

  @Test func `one that talks is not asked`() {
    for _ in 0..<20 {
      wire.clock.advance(by: .seconds(4))
      wire.server.say(.didCancel)
    }
    #expect(wire.server.take().isEmpty)
    #expect(wire.link.isOpen)
  }

  @Test func `without a sign of life the link is lost ten seconds after the last byte`() {
    wire.clock.advance(by: .seconds(2))
    wire.server.say(.didCancel)
    wire.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(wire.link.isOpen)
    #expect(wire.server.take() == [ping])
    wire.clock.advance(by: .milliseconds(1))
    #expect(witness.states.last == .closed(.lost))
    #expect(wire.isClosedByClient)
    #expect(wire.clock.next == nil)
  }

  @Test func `half a line is a sign of life`() {
    wire.clock.advance(by: .seconds(9))
    wire.deliver(bytes: Array(#"{"type":"#.utf8))
    wire.clock.advance(by: .seconds(9))
    #expect(wire.link.isOpen)
    wire.clock.advance(by: .seconds(1))
    #expect(!wire.link.isOpen)
  }

  @Test func `what was asked of it fails with it`() {
    var answers: [Event?] = []
    wire.clock.advance(by: .seconds(1))
    wire.link.send(.cancel) { answers.append($0) }
    wire.clock.advance(by: .seconds(9))
    #expect(answers == [nil])
  }
}
