import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct ServerLinkTests {
  private let wire = LinkFixture()
  private let witness: LinkWitness

  init() {
    witness = LinkWitness(wire.link)
  }

  @Test func `the link opens when the server sends hello`() {
    wire.start()
    #expect(witness.states == [.idle, .connecting])
    #expect(!wire.link.isOpen)
    wire.server.greet()
    #expect(wire.link.isOpen)
    guard case .open(let hello) = witness.states.last else {
      Issue.record("The link is not open: \(witness.states).")
      return
    }
    #expect(hello.server == "test 1")
    #expect(hello.games == [ScriptedServer.ticTacToe])
    #expect(witness.events.isEmpty)
  }

  @Test func `another protocol version closes the link`() {
    wire.start()
    wire.server.greet(protocolVersion: 2)
    #expect(witness.states == [.idle, .connecting, .closed(.notOurServer)])
    #expect(wire.isClosedByClient)
  }

  @Test func `any event before hello closes the link`() {
    wire.start()
    wire.server.say(.pong)
    #expect(witness.states == [.idle, .connecting, .closed(.notOurServer)])
    #expect(witness.events.isEmpty)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2", "", "{}", "[1]", #"{"type":"hello"}"#, "{\"type\":\"pong\"",
    #"{"type":"boardDidChange","match":"m","seq":1,"cells":[],"hash":"00000000"}"#,
  ])
  func `garbage closes the link, before and after hello`(_ line: String) {
    wire.start()
    wire.server.say(line: line)
    #expect(witness.states.last == .closed(.notOurServer))
    let later = LinkFixture()
    let witness = LinkWitness(later.link)
    later.start()
    later.server.greet()
    later.server.say(line: line)
    #expect(witness.states.last == .closed(.notOurServer))
    #expect(later.isClosedByClient)
  }

  @Test func `a line that is too long closes the link before its end`() {
    wire.start()
    wire.server.greet()
    wire.deliver(bytes: Array(repeating: UInt8(ascii: " "), count: ProtocolLimits.maxEventLine - 1))
    #expect(wire.link.isOpen)
    wire.deliver(bytes: [UInt8(ascii: " ")])
    #expect(witness.states.last == .closed(.notOurServer))
    #expect(wire.isClosedByClient)
  }

  @Test func `the longest allowed line is read`() {
    wire.start()
    wire.server.greet()
    let frame = #"{"type":"pong","padding":""}"#
    let padding = String(repeating: "x", count: ProtocolLimits.maxEventLine - 1 - frame.utf8.count)
    wire.server.say(line: frame.replacing(#""""#, with: #""\#(padding)""#))
    #expect(witness.events == [ReceivedEvent(.pong)])
  }

  @Test func `a bye closes the link with its message, even as the first line`() {
    wire.start()
    wire.server.say(.bye(.full, message: "No room.", retry: .seconds(1)))
    #expect(
      witness.states == [.idle, .connecting, .closed(.bye(.full, "No room.", retry: .seconds(1)))])
    #expect(wire.isClosedByClient)
  }

  @Test func `nothing after a bye is read`() {
    wire.start()
    wire.server.greet()
    wire.server.say(.bye(.quit), .pong)
    wire.server.cut()
    #expect(witness.states.count == 4)
    #expect(witness.states.last == .closed(.bye(.quit, ByeCode.quit.message)))
    #expect(witness.events.isEmpty)
  }

  @Test func `a connection that ends or breaks closes the link once`() {
    wire.start()
    wire.server.greet()
    wire.server.end()
    wire.server.cut()
    #expect(witness.states.count == 4)
    #expect(witness.states.last == .closed(.lost))
  }

  @Test func `a server that never sends hello is given up`() {
    wire.start()
    wire.clock.advance(by: ServerLink.answerTimeout - .milliseconds(1))
    #expect(witness.states == [.idle, .connecting])
    wire.clock.advance(by: .milliseconds(1))
    #expect(witness.states == [.idle, .connecting, .closed(.silent)])
  }

  @Test func `a failed connect attempt closes the link`() {
    let link = ServerLink(timers: ManualTimers()) { _, _, answer in
      answer(.failure(.unknownHost))
      return CompositeCancellable()
    }
    let witness = LinkWitness(link)
    link.start(wire.scope)
    link.connect(to: .example)
    #expect(witness.states == [.idle, .connecting, .closed(.unknownHost)])
  }

  @Test func `the link closes when its interactor deactivates`() {
    wire.start()
    wire.server.greet()
    wire.scope.deactivate()
    #expect(wire.isClosedByClient)
    wire.server.say(.pong)
    #expect(witness.events.isEmpty)
    #expect(witness.states.last == .idle)
  }
}
