import Shared
import TestSupport
import Testing

@testable import Client

/// Commands up, and each answer to the one who asked.
@Suite struct ServerLinkAnswerTests {
  private let wire = LinkFixture()
  private let witness: LinkWitness
  private let answers = Answers()

  /// What came to whom.
  private final class Answers {
    var given: [String] = []
  }

  init() {
    witness = LinkWitness(wire.link)
    wire.start()
    wire.server.greet()
  }

  private func ask(_ name: String, _ command: Command = .ping) {
    wire.link.send(command) { [answers] event in
      answers.given.append("\(name): \(event.map { "\($0)" } ?? "none")")
    }
  }

  @Test func `an answer completes the command with the same id`() {
    ask("first")
    ask("second")
    wire.server.say(.pong, re: .integer(2))
    #expect(answers.given == ["second: pong"])
    wire.server.say(.pong, re: .integer(1))
    #expect(answers.given == ["second: pong", "first: pong"])
  }

  @Test func `an answer is then published as an event, and an error is not`() {
    var order: [String] = []
    let token = wire.link.events.subscribe { _ in order.append("event") }
    wire.link.send(.ping) { _ in order.append("answer") }
    wire.link.send(.cancel) { _ in order.append("refusal") }
    wire.server.say(.pong, re: .integer(1))
    wire.server.say(.error(.notWaiting), re: .integer(2))
    token.cancel()
    #expect(order == ["answer", "event", "refusal"])
  }

  @Test(arguments: [nil, RequestID.integer(7), .text("1")])
  func `an answer to no pending command is published only as an event`(_ re: RequestID?) {
    ask("first")
    wire.server.say(.error(.internal), re: re)
    #expect(answers.given.isEmpty)
    #expect(witness.events == [ReceivedEvent(re: re, .error(.internal))])
  }

  @Test func `a command is completed once`() {
    ask("first")
    wire.server.say(.error(.internal), re: .integer(1))
    wire.server.say(.error(.internal), re: .integer(1))
    #expect(answers.given.count == 1)
    #expect(witness.events.count == 1)
  }

  @Test func `commands on a closed link fail at once, and nothing is sent`() {
    ask("before")
    _ = wire.server.take()
    wire.link.close(.outOfStep)
    #expect(answers.given == ["before: none"])
    ask("after")
    #expect(wire.server.take().isEmpty)
    #expect(answers.given == ["before: none", "after: none"])
    #expect(witness.states.last == .closed(.outOfStep))
  }

  @Test func `the first reason for closing the link is kept`() {
    wire.link.close(.outOfStep)
    wire.link.close(.lost)
    #expect(witness.states.count == 4)
    #expect(witness.states.last == .closed(.outOfStep))
  }

  @Test func `no event follows when a subscriber closes the link`() {
    let link = wire.link
    let token = link.events.subscribe { _ in link.close(.outOfStep) }
    wire.deliver([.pong, .didCancel])
    token.cancel()
    #expect(witness.events == [ReceivedEvent(.pong)])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the events do not depend on how the bytes are split`(_ seed: UInt64) {
    let wire = LinkFixture(seed: seed)
    let witness = LinkWitness(wire.link)
    wire.start()
    let events: [Event] = [
      .didLogin(name: "Żółć 🙂", token: "t"), .pong, .didQueue(game: "tictactoe", opponent: nil),
      .invited(from: "日本", game: "tictactoe"), .error(.cellTaken),
    ]
    wire.server.greet()
    for event in events { wire.server.say(event) }
    #expect(witness.events.map(\.event) == events)
  }
}
