import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct ServerLinkTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder

  init() {
    recorder = LinkRecorder(fixture.link)
  }

  @Test func `the link opens when the server sends hello`() {
    fixture.start()
    #expect(recorder.states == [.idle, .connecting])
    #expect(!fixture.link.isOpen)
    fixture.server.greet()
    #expect(fixture.link.isOpen)
    guard case .open(let hello) = recorder.states.last else {
      Issue.record("The link is not open: \(recorder.states).")
      return
    }
    #expect(hello.server == "test 1")
    #expect(hello.games == [ScriptedServer.ticTacToe])
    #expect(recorder.events.isEmpty)
  }

  @Test func `another protocol version closes the link`() {
    fixture.start()
    fixture.server.greet(protocolVersion: 2)
    #expect(recorder.states == [.idle, .connecting, .closed(.notOurServer)])
    #expect(fixture.isClosedByClient)
  }

  @Test func `any event before hello closes the link`() {
    fixture.start()
    fixture.server.send(.pong)
    #expect(recorder.states == [.idle, .connecting, .closed(.notOurServer)])
    #expect(recorder.events.isEmpty)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2", "", "{}", "[1]", #"{"type":"hello"}"#, "{\"type\":\"pong\"",
    #"{"type":"boardDidChange","match":"m","seq":1,"cells":[],"hash":"00000000"}"#,
    #"{"type":"boardDidChange","match":"m","seq":1,"cells":[{"row":0,"col":0,"mark":"X"},{"row":0,"col":1,"mark":"X"}],"hash":"00000000"}"#,
  ])
  func `garbage closes the link, before and after hello`(_ line: String) {
    fixture.start()
    fixture.server.send(line: line)
    #expect(recorder.states.last == .closed(.notOurServer))
    let later = LinkFixture()
    let recorder = LinkRecorder(later.link)
    later.start()
    later.server.greet()
    later.server.send(line: line)
    #expect(recorder.states.last == .closed(.notOurServer))
    #expect(later.isClosedByClient)
  }

  @Test func `a line that is too long closes the link before its end`() {
    fixture.start()
    fixture.server.greet()
    fixture.deliver(
      bytes: Array(repeating: UInt8(ascii: " "), count: ProtocolLimits.maxEventLine - 1))
    #expect(fixture.link.isOpen)
    fixture.deliver(bytes: [UInt8(ascii: " ")])
    #expect(recorder.states.last == .closed(.notOurServer))
    #expect(fixture.isClosedByClient)
  }

  @Test func `the longest allowed line is read`() {
    fixture.start()
    fixture.server.greet()
    let frame = #"{"type":"pong","padding":""}"#
    let padding = String(repeating: "x", count: ProtocolLimits.maxEventLine - 1 - frame.utf8.count)
    fixture.server.send(line: frame.replacing(#""""#, with: #""\#(padding)""#))
    #expect(recorder.events == [ReceivedEvent(.pong)])
  }

  @Test func `a bye closes the link with its message, even as the first line`() {
    fixture.start()
    fixture.server.send(.bye(.full, message: "No room.", retry: .seconds(1)))
    #expect(
      recorder.states == [.idle, .connecting, .closed(.bye(.full, "No room.", retry: .seconds(1)))])
    #expect(fixture.isClosedByClient)
  }

  @Test func `nothing after a bye is read`() {
    fixture.start()
    fixture.server.greet()
    fixture.server.send(.bye(.quit), .pong)
    fixture.server.cut()
    #expect(recorder.states.count == 4)
    #expect(recorder.states.last == .closed(.bye(.quit, ByeCode.quit.message)))
    #expect(recorder.events.isEmpty)
  }

  @Test func `a connection that ends or breaks closes the link once`() {
    fixture.start()
    fixture.server.greet()
    fixture.server.end()
    fixture.server.cut()
    #expect(recorder.states.count == 4)
    #expect(recorder.states.last == .closed(.lost))
  }

  @Test func `a server that never sends hello is given up`() {
    fixture.start()
    fixture.clock.advance(by: ServerLink.answerTimeout - .milliseconds(1))
    #expect(recorder.states == [.idle, .connecting])
    fixture.clock.advance(by: .milliseconds(1))
    #expect(recorder.states == [.idle, .connecting, .closed(.silent)])
  }

  @Test func `a failed connect attempt closes the link`() {
    let link = ServerLink(timers: ManualTimers()) { _, _, answer in
      answer(.failure(.unknownHost))
      return CompositeCancellable()
    }
    let recorder = LinkRecorder(link)
    link.start(fixture.scope)
    link.connect(to: .example)
    #expect(recorder.states == [.idle, .connecting, .closed(.unknownHost)])
  }

  @Test func `the link closes when its interactor deactivates`() {
    fixture.start()
    fixture.server.greet()
    fixture.scope.deactivate()
    #expect(fixture.isClosedByClient)
    fixture.server.send(.pong)
    #expect(recorder.events.isEmpty)
    #expect(recorder.states.last == .idle)
  }
}
