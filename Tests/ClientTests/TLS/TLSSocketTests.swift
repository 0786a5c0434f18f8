import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// TLS over real sockets and a real loop.
@Suite(.enabled(if: TLSFixture.isAvailable, "no libssl here")) struct TLSSocketTests {
  private let loop: EventLoop
  private let listener: TCPListener
  private let servers = Servers()

  private final class Servers {
    var all: [TLSServer] = []
  }

  init() throws {
    let loop = try EventLoop()
    let address = try #require(
      try SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true).first)
    listener = try TCPListener(loop: loop, address: address) { [servers] connection in
      guard let session = try? TLSFixture.serverSession() else { return }
      let server = TLSServer(over: connection, session: session)
      server.greeting = Array((ScriptedServer.text(of: ScriptedServer.hello()) + "\n").utf8)
      servers.all.append(server)
    }
    self.loop = loop
  }

  /// Connects a link over TLS, and returns its state once the attempt has ended.
  private func state(trusting file: String) throws -> LinkState {
    let scope = Interactor()
    scope.activate()
    let tls = try TLSContext(trusting: TLSFixture.file(file))
    let link = ServerLink(timers: loop) { [loop] host, port, answer in
      loop.connect(host: host, port: port, tls: tls, answer: answer)
    }
    let recorder = LinkRecorder(link)
    link.start(scope)
    link.connect(
      to: ServerAddress(host: "127.0.0.1", port: listener.address.port, usesTLS: true))
    while recorder.states.count < 3 { try loop.turn(wait: nil) }
    return try #require(recorder.states.last)
  }

  @Test func `the link opens when a server greets over TLS`() throws {
    guard case .open(let hello) = try state(trusting: "authority") else {
      Issue.record("The link is not open.")
      return
    }
    #expect(hello.server == "test 1")
    listener.close()
  }

  @Test func `a server that is not trusted closes the link`() throws {
    #expect(
      try state(trusting: "stranger") == .closed(.tls(.certificate(.incompleteChain))))
    #expect(servers.all.allSatisfy { $0.received.isEmpty })
    listener.close()
  }

  @Test(arguments: 0...5)
  func `an attempt that is cancelled has no result, whatever its state was`(turns: Int) throws {
    let tls = try TLSContext(trusting: TLSFixture.file("authority"))
    var answers = 0
    let attempt = loop.connect(host: "127.0.0.1", port: listener.address.port, tls: tls) { _ in
      answers += 1
    }
    for _ in 0..<turns where answers == 0 { try loop.turn(wait: .milliseconds(20)) }
    let before = answers
    attempt.cancel()
    for _ in 0..<5 { try loop.turn(wait: .milliseconds(5)) }
    #expect(answers == before)
    listener.close()
  }

  @Test(arguments: [
    TLSError.notTLS, .closed, .broken(SystemError(call: "recv", code: 104)), .timedOut,
    .certificateWanted, .certificateRefused("its issuer is unknown there"),
    .refused("no protocols available"), .certificate(.expired), .certificate(.notYetValid),
    .certificate(.otherHost), .certificate(.unknownAuthority), .certificate(.noName),
    .certificate(.incompleteChain),
    .certificate(.other("it is revoked")),
  ])
  func `each failure is a sentence about the server, with exit code 69`(error: TLSError) throws {
    let address = ServerAddress(host: "play.example.org", port: 7_778, usesTLS: true)
    let report = LinkError.tls(error).exitReport(from: address)
    #expect(report.code == .unavailable)
    let sentence = try #require(report.sentence)
    #expect(sentence.contains("play.example.org port 7778 (TLS)"))
    #expect(sentence.hasSuffix(".") || sentence.hasSuffix("?"))
    // The form shows up to 3 lines of 60 columns.
    #expect(sentence.wrapped(to: 60).count <= 3)
    #expect(LinkError.tls(error).retry == .zero)
  }
}
