import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Connect attempts of a link over real sockets.
@Suite struct EventLoopConnectTests {
  private let scope = Interactor()

  init() {
    scope.activate()
  }

  /// Connects a link and returns its state once the attempt has ended.
  private func state(
    connectingTo host: String, port: UInt16, on loop: EventLoop
  ) throws -> LinkState {
    let link = ServerLink(timers: loop) { loop.connect(host: $0, port: $1, answer: $2) }
    let recorder = LinkRecorder(link)
    link.start(scope)
    link.connect(to: ServerAddress(host: host, port: port))
    while recorder.states.count < 3 { try loop.turn(wait: nil) }
    return try #require(recorder.states.last)
  }

  @Test func `the link opens when a listening server sends hello`() throws {
    let loop = try EventLoop()
    let greeting = Array((ScriptedServer.text(of: ScriptedServer.hello()) + "\n").utf8)
    let address = try #require(
      try SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true).first)
    var accepted: [any Connection] = []
    let listener = try TCPListener(loop: loop, address: address) { connection in
      accepted.append(connection)
      connection.send(greeting.span)
    }
    let state = try state(connectingTo: "127.0.0.1", port: listener.address.port, on: loop)
    guard case .open(let hello) = state else {
      Issue.record("The link is not open: \(state).")
      return
    }
    #expect(hello.server == "test 1")
    listener.close()
  }

  @Test func `a refused connection closes the link with the system's reason`() throws {
    let loop = try EventLoop()
    let address = try #require(
      try SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true).first)
    let listener = try TCPListener(loop: loop, address: address) { _ in }
    let port = listener.address.port
    listener.close()
    #expect(
      try state(connectingTo: "127.0.0.1", port: port, on: loop)
        == .closed(.cannotConnect("Connection refused")))
  }

  @Test func `a host without an address closes the link as unknown`() throws {
    // Not a valid host name (RFC 1035), so no name server is queried.
    #expect(
      try state(connectingTo: "no host has spaces", port: 1, on: EventLoop())
        == .closed(.unknownHost))
  }

  @Test func `a connect timeout is reported as a host that does not answer`() {
    #expect(LinkError(.timedOut) == .cannotConnect("the host does not answer"))
  }
}
