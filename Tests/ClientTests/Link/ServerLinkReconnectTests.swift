import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Several connect attempts of one link in a row.
@Suite struct ServerLinkReconnectTests {
  private let scope = Interactor()
  private let clock = ManualTimers()
  private let network = MemoryNetwork(seed: 1)
  private let attempts = ConnectAttempts()
  private let link: ServerLink
  private let recorder: LinkRecorder

  init() {
    link = ServerLink(timers: clock) { [attempts] host, port, answer in
      attempts.add("\(host) \(port)", answer)
    }
    recorder = LinkRecorder(link)
    scope.activate()
    link.start(scope)
  }

  /// Completes the last attempt and returns both ends of the new connection.
  private func accept() -> (server: ScriptedServer, near: MemoryConnection) {
    let (near, far) = network.connect()
    attempts.last?.answer(.success(near))
    return (ScriptedServer(far, on: network), near)
  }

  @Test func `a new link does not connect by itself`() {
    #expect(attempts.all.isEmpty)
    #expect(recorder.states == [.idle])
    link.connect(to: .example)
    #expect(attempts.last?.target == "example.org 7777")
    #expect(link.address == .example)
    #expect(recorder.states == [.idle, .connecting])
  }

  @Test func `a stopped link does not connect`() {
    scope.deactivate()
    link.connect(to: .example)
    #expect(attempts.all.isEmpty)
  }

  @Test func `disconnecting or stopping the link cancels a connect attempt`() {
    link.connect(to: .example)
    link.disconnect()
    #expect(attempts.last?.isCancelled == true)
    #expect(recorder.states == [.idle, .connecting, .idle])
    link.connect(to: .example)
    scope.deactivate()
    #expect(attempts.all.map(\.isCancelled) == [true, true])
  }

  @Test func `the link can connect to another server after a failure`() {
    link.connect(to: .example)
    attempts.last?.answer(.failure(.unknownHost))
    link.connect(to: ServerAddress(host: "other", port: 80))
    #expect(attempts.last?.target == "other 80")
    accept().server.greet()
    #expect(link.isOpen)
    #expect(
      recorder.states.dropLast() == [.idle, .connecting, .closed(.unknownHost), .connecting])
  }

  @Test func `a new attempt closes the old connection and fails its pending commands`() {
    link.connect(to: .example)
    let old = accept()
    old.server.greet()
    var answers: [Event?] = []
    link.send(.ping) { answers.append($0) }
    link.connect(to: .example)
    #expect(old.near.isClosed)
    #expect(!link.isOpen)
    let new = accept()
    new.server.greet()
    new.server.send(.pong, re: .integer(1))
    #expect(link.isOpen)
    #expect(answers == [nil])
    #expect(recorder.events == [ReceivedEvent(re: .integer(1), .pong)])
  }

  @Test func `the late result of an old attempt is ignored, and its connection closed`() {
    link.connect(to: .example)
    let late = attempts.last
    link.connect(to: .example)
    late?.answer(.failure(.unknownHost))
    let (near, _) = network.connect()
    late?.answer(.success(near))
    #expect(near.isClosed)
    #expect(recorder.states == [.idle, .connecting])
  }

  @Test func `a partial line of the old connection is discarded`() {
    link.connect(to: .example)
    let old = accept()
    old.server.greet()
    old.near.delegate?.connection(old.near, didReceive: Array(#"{"type":"#.utf8).span)
    link.connect(to: .example)
    accept().server.greet()
    #expect(link.isOpen)
  }

  @Test func `input from the old connection is ignored`() {
    link.connect(to: .example)
    let old = accept()
    let delegate = old.near.delegate
    link.connect(to: .example)
    accept().server.greet()
    delegate?.connection(old.near, didReceive: Array("garbage\n".utf8).span)
    delegate?.connectionDidEnd(old.near, with: .inputEnded)
    #expect(link.isOpen)
  }

  @Test func `disconnecting cancels all timers, before and after hello`() {
    link.connect(to: .example)
    let connected = accept()
    #expect(clock.next != nil)
    link.disconnect()
    #expect(connected.near.isClosed)
    #expect(clock.next == nil)
    link.connect(to: .example)
    let greeted = accept()
    greeted.server.greet()
    link.disconnect()
    #expect(greeted.near.isClosed)
    #expect(clock.next == nil)
    #expect(recorder.states.last == .idle)
  }

  @Test func `disconnecting a closed link keeps its reason`() {
    link.connect(to: .example)
    attempts.last?.answer(.failure(.unknownHost))
    link.disconnect()
    #expect(recorder.states.last == .closed(.unknownHost))
  }
}
