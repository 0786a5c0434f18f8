import Foundation
import Shared
import TestSupport
import Testing

@Suite struct HTTPServerTests {
  private let clock = ManualTimers()
  private let network = MemoryNetwork(seed: 1)
  private let server: HTTPServer

  init() {
    server = HTTPServer(timers: clock, now: { 784_111_777 }) {
      $0.path == "/large"
        ? HTTPResponse(String(repeating: "a", count: 100_000), contentType: "text/plain")
        : HTTPResponse(.ok, sentence: $0.path)
    }
    network.whenAtRest = { [clock] in clock.advance(by: .zero) }
  }

  private func connect() -> MemoryConnection {
    let (near, far) = network.connect()
    server.accept(far)
    return near
  }

  private func ask(_ text: String, on connection: MemoryConnection) -> String {
    connection.send(Array(text.utf8).span)
    network.run()
    return String(decoding: connection.takeReceived(), as: UTF8.self)
  }

  @Test func `an answer has all that HTTP asks for, and the connection stays open`() {
    let connection = connect()
    for _ in 1...2 {
      let answer = ask("GET /a HTTP/1.1\r\nHost: here\r\n\r\n", on: connection)
      #expect(
        answer
          == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
          + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n"
          + "Cache-Control: no-store\r\nConnection: keep-alive\r\n\r\n/a\n")
    }
    #expect(!connection.hasPeerEnded)
  }

  @Test func `HEAD gets the head only`() {
    let answer = ask("HEAD /a HTTP/1.0\r\n\r\n", on: connect())
    #expect(answer.contains("\r\nContent-Length: 3\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  @Test func `the connection is closed if the client asks for it, and after a bad request`() {
    for (request, status) in [
      ("GET / HTTP/1.0\n\n", "200 OK"), ("hello\n", "400 Bad Request"),
      (String(repeating: "a", count: 9_000), "431 Request Header Fields Too Large"),
      ("GET / HTTP/2.0\n", "505 HTTP Version Not Supported"),
    ] {
      let connection = connect()
      let answer = ask(request, on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
      #expect(answer.contains("\r\nConnection: close\r\n"))
      #expect(connection.hasPeerEnded)
    }
    #expect(clock.next == nil)
  }

  @Test func `requests that arrive together get their answers in order`() {
    let paths = (1...50).map { "/\($0)" }
    let answer = ask(paths.map { "GET \($0) HTTP/1.1\nHost: a\n\n" }.joined(), on: connect())
    let bodies = answer.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "\n" } }
    #expect(bodies == paths.map { $0[...] })
  }

  @Test func `an answer does not wait until the output of players is stored`() throws {
    let loop = try EventLoop()
    let server = HTTPServer(timers: loop) { _ in HTTPResponse(.ok, sentence: "here") }
    let listener = try TCPListener(
      loop: loop, address: SocketAddress(try #require(IPAddress("127.0.0.1")), port: 0),
      accept: { server.accept($0) })
    defer { listener.close() }
    loop.outputGate.close(true)
    let received = Received()
    let connector = Connector(loop: loop, host: "127.0.0.1", port: listener.address.port) {
      guard let client = try? $0.get() else { return }
      client.passesGate = true
      client.delegate = received
      client.send(Array("GET /readyz HTTP/1.1\nHost: a\n\n".utf8).span)
    }
    let end = loop.preciseNow + .seconds(20)
    while received.bytes.isEmpty, loop.preciseNow < end { try loop.turn(wait: .milliseconds(20)) }
    #expect(String(decoding: received.bytes, as: UTF8.self).hasSuffix("here\n"))
    #expect(loop.outputGate.isHeld)
    connector.cancel()
  }

  @Test func `a client that does not read gets no further answer, and is reset after 10 seconds`() {
    let connection = connect()
    connection.isReading = false
    let request = "GET /large HTTP/1.1\nHost: a\n\n"
    #expect(ask(request + request, on: connection) == "")
    connection.isReading = true
    #expect(ask("", on: connection).count > 200_000)
    connection.isReading = false
    _ = ask(request, on: connection)
    clock.advance(by: .seconds(9))
    #expect(!connection.isCut)
    clock.advance(by: .seconds(1))
    #expect(connection.isCut)
    #expect(clock.next == nil)
  }

  @Test func `a request has to arrive within 10 seconds`() {
    let (idle, slow) = (connect(), connect())
    _ = ask("GET /", on: slow)
    clock.advance(by: .seconds(6))
    _ = ask("a HTTP/1.1\n", on: slow)
    clock.advance(by: .seconds(4))
    #expect(ask("", on: slow).hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    #expect(ask("", on: idle) == "")
    #expect(idle.hasPeerEnded && slow.hasPeerEnded)
  }

  @Test func `the time begins again with each answer`() {
    let connection = connect()
    for _ in 1...3 {
      clock.advance(by: .seconds(9))
      #expect(ask("GET / HTTP/1.1\nHost: a\n\n", on: connection).contains("200 OK"))
    }
    clock.advance(by: .seconds(10))
    network.run()
    #expect(connection.hasPeerEnded)
  }

  @Test func `idle connections keep no health check out`() {
    let request = "GET /healthz HTTP/1.1\nHost: a\n\n"
    let connections = (1...HTTPServer.maxConnections).map { _ in connect() }
    // The first one is not idle any more, and the second one has not sent all of its request.
    #expect(ask(request, on: connections[0]).contains("200 OK"))
    _ = ask("GET /healthz", on: connections[1])
    for number in 1...HTTPServer.maxConnections - 1 {
      #expect(ask(request, on: connect()).contains("200 OK"))
      #expect(connections.filter(\.isCut).count == number)
    }
    #expect(!connections[0].isCut)
    #expect(ask(request, on: connections[0]).contains("200 OK"))
  }

  @Test func `a client that ends its input still gets its answers`() {
    let connection = connect()
    connection.send(Array("GET /a HTTP/1.1\nHost: a\n\nGET /b HTTP/1.1\nHost: a\n\n".utf8).span)
    connection.close()
    network.run()
    let answers = String(decoding: connection.takeReceived(), as: UTF8.self)
    #expect(answers.contains("/a\n") && answers.contains("/b\n"))
    #expect(clock.next == nil)
  }

  @Test func `close ends all connections and accepts no more`() {
    let connection = connect()
    server.close()
    network.run()
    #expect(connection.hasPeerEnded)
    #expect(connect().isCut)
    #expect(clock.next == nil)
  }
}

private final class Received: ConnectionDelegate {
  private(set) var bytes: [UInt8] = []

  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { self.bytes.append(contentsOf: $0) }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {}
}
