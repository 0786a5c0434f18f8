import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ProxyHandshakeTests {
  private static let proxy = "10.0.0.1"
  private static let header = "PROXY TCP4 1.2.3.4 9.9.9.9 50001 7777\r\n"

  private static func server(_ limits: ConnectionLimits = ConnectionLimits()) -> TestServer {
    var limits = limits
    limits.proxies = ["10.0.0.0/8", "fd00::1"].compactMap(IPNetwork.init)
    return TestServer(limits: limits)
  }

  private func client(_ server: TestServer, saying text: String) throws -> LineClient {
    let connection = server.connect(from: Self.proxy)
    connection.send(Array(text.utf8).span)
    server.network.run()
    return LineClient(connection, on: server.network)
  }

  @Test func `nothing is sent before the header has arrived`() throws {
    let server = Self.server()
    let connection = server.connect(from: Self.proxy)
    let client = LineClient(connection, on: server.network)
    let header = Array(Self.header.utf8)
    for byte in header.dropLast() {
      connection.send([byte].span)
      server.network.run()
      #expect(client.takeLines() == [])
    }
    connection.send(Array("\nlogin ann\n".utf8).span)
    server.network.run()
    #expect(try client.hearTypes() == ["hello", "didLogin"])
    #expect(server.clock.next == nil)
  }

  @Test func `the address in a proxy's header counts as the client's`() throws {
    let server = Self.server(ConnectionLimits(address: AddressLimits(connections: 1)))
    let first = try client(server, saying: Self.header)
    #expect(try first.hearTypes() == ["hello"])
    let other = Self.header.replacing("1.2.3.4", with: "1.2.3.5")
    #expect(try client(server, saying: other).hearTypes() == ["hello"])
    #expect(try client(server, saying: Self.header).hearTypes() == ["hello", "bye full"])
    #expect(server.client(from: "1.2.3.4").isClosedByServer)
    first.say("quit")
    #expect(!server.client(from: "1.2.3.4").isClosedByServer)
  }

  @Test func `a header without an address counts for the proxy's own`() throws {
    let server = Self.server(ConnectionLimits(address: AddressLimits(connections: 1)))
    let text = "PROXY UNKNOWN\r\nping\n"
    #expect(try client(server, saying: text).hearTypes() == ["hello", "pong"])
    #expect(try client(server, saying: text).hearTypes() == ["hello", "bye full"])
  }

  @Test func `a connection with a broken header is closed without a line`() throws {
    let server = Self.server()
    for text in ["login ann\n", "PROXY TCP4 here\r\nlogin ann\n", "\n", "GET / HTTP/1.1\r\n"] {
      let client = try client(server, saying: text)
      #expect(client.takeLines() == [])
      #expect(client.isClosedByServer)
    }
    server.clock.advance(by: AddressRegistry.interval)
    #expect(server.clock.next == nil)
  }

  @Test func `a connection without a header in time is closed without a line`() throws {
    let server = Self.server()
    let client = try client(server, saying: "PROXY TCP4 1.2")
    server.clock.advance(by: .milliseconds(4_999))
    server.network.run()
    #expect(!client.isClosedByServer)
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    #expect(client.takeLines() == [])
    #expect(client.isClosedByServer)
  }

  @Test(arguments: [true, false])
  func `a connection that ends before its header is released`(isCut: Bool) throws {
    let server = Self.server()
    weak var gone: MemoryConnection?
    do {
      let connection = server.connect(from: Self.proxy)
      gone = connection
      connection.send(Array("PROXY ".utf8).span)
      server.network.run()
      if isCut { connection.cut() } else { connection.close() }
      server.network.run()
      _ = server.network.step()
    }
    #expect(gone == nil)
    server.clock.advance(by: AddressRegistry.interval)
    #expect(server.clock.next == nil)
  }

  @Test func `a shutdown closes connections whose header has not arrived`() throws {
    let server = Self.server()
    let client = try client(server, saying: "PROXY ")
    server.control.shutDown()
    server.network.run()
    #expect(client.takeLines() == [])
    #expect(client.isClosedByServer)
    server.clock.advance(by: AddressRegistry.interval)
    #expect(server.clock.next == nil)
  }

  @Test(arguments: ["11.0.0.1", "::1", "fd00::2"])
  func `a header of an untrusted client is only a bad line`(address: String) throws {
    let server = Self.server(ConnectionLimits(address: AddressLimits(connections: 1)))
    let client = server.client(from: address)
    #expect(try client.askTypes(Self.header) == ["unknownType"])
    #expect(try client.askTypes("ping") == ["pong"])
    #expect(server.client(from: address).isClosedByServer)
    #expect(!server.client(from: "1.2.3.4").isClosedByServer)
  }

  @Test func `a second header is only a bad line`() throws {
    let server = Self.server()
    let client = try client(server, saying: Self.header + Self.header)
    #expect(try client.hearTypes() == ["hello", "unknownType"])
  }

  @Test func `frequent connections without a header are logged as a sum`() throws {
    let book = LogRecorder()
    let server = TestServer(
      limits: ConnectionLimits(proxies: [try #require(IPNetwork("::1"))]), log: book.log(.info))
    for _ in 0..<AddressLog.burst + 7 {
      server.connect().close()
      server.network.run()
    }
    #expect(book.take().count == AddressLog.burst)
    server.clock.advance(by: AddressRegistry.interval)
    #expect(book.take() == ["info connections from=:: opened=0 loggedIn=0 rejected=7"])
    server.clock.advance(by: .seconds(30))
    #expect(server.clock.next == nil)
  }
}
