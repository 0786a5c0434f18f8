import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// How answers are matched to commands.
@Suite struct ServerLinkAnswerTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder
  private let completed = CompletedCommands()

  /// The name and the answer of each completed command.
  private final class CompletedCommands {
    var descriptions: [String] = []
  }

  init() {
    recorder = LinkRecorder(fixture.link)
    fixture.start()
    fixture.server.greet()
  }

  private func sendCommand(_ name: String, _ command: Command = .ping) {
    fixture.link.send(command) { [completed] event in
      completed.descriptions.append("\(name): \(event.map { "\($0)" } ?? "none")")
    }
  }

  @Test func `an answer completes the command with the same id`() {
    sendCommand("first")
    sendCommand("second")
    fixture.server.send(.pong, re: .integer(2))
    #expect(completed.descriptions == ["second: pong"])
    fixture.server.send(.pong, re: .integer(1))
    #expect(completed.descriptions == ["second: pong", "first: pong"])
  }

  @Test func `an answer is then published as an event, and an error is not`() {
    var order: [String] = []
    let token = fixture.link.events.subscribe { _ in order.append("event") }
    fixture.link.send(.ping) { _ in order.append("answer") }
    fixture.link.send(.cancel) { _ in order.append("refusal") }
    fixture.server.send(.pong, re: .integer(1))
    fixture.server.send(.error(.notWaiting), re: .integer(2))
    token.cancel()
    #expect(order == ["answer", "event", "refusal"])
  }

  @Test(arguments: [nil, RequestID.integer(7), .text("1")])
  func `an answer to no pending command is published only as an event`(_ re: RequestID?) {
    sendCommand("first")
    fixture.server.send(.error(.internal), re: re)
    #expect(completed.descriptions.isEmpty)
    #expect(recorder.events == [ReceivedEvent(re: re, .error(.internal))])
  }

  @Test func `a command is completed once`() {
    sendCommand("first")
    fixture.server.send(.error(.internal), re: .integer(1))
    fixture.server.send(.error(.internal), re: .integer(1))
    #expect(completed.descriptions.count == 1)
    #expect(recorder.events.count == 1)
  }

  @Test func `commands on a closed link fail at once, and nothing is sent`() {
    sendCommand("before")
    _ = fixture.server.takeLines()
    fixture.link.close(.outOfStep)
    #expect(completed.descriptions == ["before: none"])
    sendCommand("after")
    #expect(fixture.server.takeLines().isEmpty)
    #expect(completed.descriptions == ["before: none", "after: none"])
    #expect(recorder.states.last == .closed(.outOfStep))
  }

  @Test func `the first reason for closing the link is kept`() {
    fixture.link.close(.outOfStep)
    fixture.link.close(.lost)
    #expect(recorder.states.count == 4)
    #expect(recorder.states.last == .closed(.outOfStep))
  }

  @Test func `no event follows when a subscriber closes the link`() {
    let link = fixture.link
    let token = link.events.subscribe { _ in link.close(.outOfStep) }
    fixture.deliver([.pong, .didCancel()])
    token.cancel()
    #expect(recorder.events == [ReceivedEvent(.pong)])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the events do not depend on how the bytes are split`(_ seed: UInt64) {
    let fixture = LinkFixture(seed: seed)
    let recorder = LinkRecorder(fixture.link)
    fixture.start()
    let events: [Event] = [
      .didLogin(name: "Żółć 🙂", token: "t"), .pong, .didQueue(game: "tictactoe", opponent: nil),
      .invited(from: "日本", game: "tictactoe"), .error(.cellTaken),
    ]
    fixture.server.greet()
    for event in events { fixture.server.send(event) }
    #expect(recorder.events.map(\.event) == events)
  }
}
