import Shared
import TestSupport
import Testing

@testable import Client

/// A link between a server and a program that speaks the protocol itself.
@Suite struct ServerLinkRelayTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder
  private let relay: RecordingRelay

  init() {
    recorder = LinkRecorder(fixture.link)
    relay = RecordingRelay(fixture.link)
    fixture.start()
  }

  private func ping(_ id: Int) -> String { #"{"type":"ping","id":"link-\#(id)"}"# }

  @Test func `the program gets the server's lines as they are`() {
    #expect(relay.connections == 1)
    fixture.server.greet()
    let lines = [
      #"{"type":"pong", "later":1}"#, "no line of this protocol", #"{"type":"later"}"#,
      #"{"type":"error","re":1,"code":"noGame","message":"No."}"#,
      #"{"type":"bye","code":"quit","message":"Bye."}"#,
    ]
    fixture.deliver(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    #expect(relay.lines == [ScriptedServer.text(of: ScriptedServer.hello())] + lines)
    #expect(relay.events == [.hello, .pong, nil, .unknown, .error, .bye])
    #expect(recorder.events.isEmpty)
    #expect(recorder.states.last == .closed(.bye(.quit, "Bye.")))
  }

  @Test func `a program at another kind of server gets nothing`() {
    fixture.deliver(bytes: Array("HTTP/1.1 200 OK\n".utf8))
    #expect(relay.lines.isEmpty)
    #expect(recorder.states.last == .closed(.notOurServer))
  }

  @Test func `a move is no matter of the program's`() {
    fixture.server.greet()
    fixture.server.send(.moved(to: "node2:7001"))
    #expect(relay.lines.count == 1)
    fixture.clock.advance(by: .zero)
    fixture.server.greet()
    #expect(relay.connections == 2)
    #expect(fixture.hosts == ["example.org", "node2"])
  }

  @Test func `the lines of the program go out as they are, also before the greeting`() {
    fixture.link.send(line: Array("help\n".utf8))
    fixture.server.greet()
    fixture.link.send(line: Array(" place  1 1\n".utf8))
    #expect(fixture.server.takeLines() == ["help", " place  1 1"])
  }

  @Test func `the link's own commands have ids of their own, and the program sees no reply`() {
    fixture.server.greet()
    var answers: [Event?] = []
    fixture.link.send(.resume(token: "t", seq: 0)) { answers.append($0) }
    #expect(
      fixture.server.takeLines() == [#"{"type":"resume","id":"link-1","token":"t","seq":0}"#])
    fixture.deliver([.pong], re: .integer(1))
    #expect(answers.isEmpty)
    fixture.deliver([.didLogin(name: "ann", token: "u")], re: .text("link-1"))
    #expect(answers == [.didLogin(name: "ann", token: "u")])
    #expect(relay.events == [.hello, .pong])
  }

  @Test func `a server that is silent for five seconds gets a ping, and after ten it is lost`() {
    fixture.server.greet()
    for id in 1...3 {
      fixture.clock.advance(by: .seconds(4))
      fixture.server.send(.didCancel())
      // The program's own lines are no sign of the server.
      fixture.link.send(line: Array("say hello\n".utf8))
      _ = fixture.server.takeLines()
      fixture.clock.advance(by: .seconds(5) - .milliseconds(1))
      #expect(fixture.server.takeLines().isEmpty)
      fixture.clock.advance(by: .milliseconds(1))
      #expect(fixture.server.takeLines() == [ping(id)])
      fixture.deliver([.pong], re: .text("link-\(id)"))
    }
    #expect(!relay.events.contains(.pong))
    fixture.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(fixture.link.isOpen)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(recorder.states.last == .closed(.silent))
    #expect(fixture.server.takeLines() == [ping(4)])
    #expect(fixture.clock.next == nil)
  }

  @Test func `any line defers the end, although the reply is missing`() {
    fixture.server.greet()
    for _ in 1...5 {
      fixture.clock.advance(by: .seconds(9))
      fixture.server.send(.didCancel())
    }
    #expect(fixture.link.isOpen)
    #expect(fixture.server.takeLines() == [ping(1)])
  }

  @Test func `silence means nothing before there is a session, or while nothing is read`() {
    relay.hasSession = false
    fixture.server.greet()
    fixture.clock.advance(by: .seconds(60))
    relay.hasSession = true
    fixture.link.isReading = false
    fixture.clock.advance(by: .seconds(60))
    #expect(fixture.server.takeLines().isEmpty)
    fixture.link.isReading = true
    fixture.clock.advance(by: .seconds(10) - .milliseconds(1))
    #expect(fixture.server.takeLines() == [ping(1)])
    #expect(fixture.link.isOpen)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(!fixture.link.isOpen)
  }

  @Test func `what the server does not read is for the relay to look after`() {
    fixture.server.greet()
    fixture.link.send(line: Array(repeating: UInt8(ascii: " "), count: ServerLink.maxUnsent * 2))
    fixture.link.send(.ping)
    #expect(fixture.link.unsent > ServerLink.maxUnsent)
    #expect(fixture.link.isOpen)
  }
}

private final class RecordingRelay: LineRelay {
  var hasSession = true
  private(set) var connections = 0
  private(set) var lines: [String] = []
  private(set) var events: [EventKind?] = []

  init(_ link: ServerLink) { link.relay = self }

  func linkDidConnect() { connections += 1 }

  func link(didReceive line: Span<UInt8>, _ event: ReceivedEvent?) {
    lines.append(line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    events.append(event.map { EventKind($0.event) })
  }

  func linkDidReceiveAll() {}
  func linkDidDrain() {}
}

private enum EventKind {
  case hello, pong, error, bye, unknown, other

  init(_ event: Event) {
    switch event {
    case .hello: self = .hello
    case .pong: self = .pong
    case .error: self = .error
    case .bye: self = .bye
    case .unknown: self = .unknown
    default: self = .other
    }
  }
}
