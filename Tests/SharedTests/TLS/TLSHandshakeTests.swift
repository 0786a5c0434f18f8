import Foundation
import TestSupport
import Testing

@testable import Shared

/// Who a client accepts as its server.
@Suite(.enabled(if: TLSFixture.isAvailable, "no libssl here")) struct TLSHandshakeTests {
  /// The result of a handshake; `nil` if it is a connection.
  private func error(
    to host: String, certificate: String = "host", trusting file: String = "authority"
  ) throws -> TLSError? {
    let client = try TLSClientFixture(to: host, trusting: file)
    let server = TLSServer(
      over: client.far, session: try TLSFixture.serverSession(with: certificate))
    client.network.run()
    try #require(client.result != nil)
    #expect((server.error == nil) == (client.error == nil))
    #expect(client.near.isClosed == (client.error != nil))
    return client.error
  }

  @Test(arguments: [
    "localhost", "localhost.", "LOCALHOST", "play.example.org", "127.0.0.1", "::1", "::1%lo",
  ])
  func `a certificate is accepted for the names and addresses in it`(host: String) throws {
    #expect(try error(to: host) == nil)
  }

  @Test(arguments: ["example.org", "a.b.example.org", "localhost.example.com", "127.0.0.2", "::2"])
  func `a certificate is refused for another name or address`(host: String) throws {
    #expect(try error(to: host) == .certificate(.otherHost))
  }

  @Test(arguments: ["", ".", "%lo"])
  func `a host that no certificate can name is refused before anything is sent`(
    host: String
  ) throws {
    let context = try TLSContext(trusting: TLSFixture.file("authority"))
    #expect(throws: TLSError.certificate(.otherHost)) { try context.makeSession(with: host) }
  }

  @Test func `an expired certificate is refused`() throws {
    #expect(
      try error(to: "localhost", certificate: "expired") == .certificate(.expired))
  }

  @Test func `a certificate of an unknown authority is refused`() throws {
    #expect(
      try error(to: "localhost", certificate: "chain", trusting: "stranger")
        == .certificate(.unknownAuthority))
  }

  @Test func `a chain without its intermediate certificate is refused with a hint`() throws {
    for certificate in ["leaf", "gap"] {
      #expect(
        try error(to: "localhost", certificate: certificate) == .certificate(.incompleteChain))
    }
    #expect(try error(to: "localhost", certificate: "chain") == nil)
  }

  @Test func `a common name does not count as the name of a host`() throws {
    for host in ["localhost", "127.0.0.1"] {
      #expect(try error(to: host, certificate: "common") == .certificate(.noName))
    }
  }

  @Test func `the file of a client can be the certificate of the server itself`() throws {
    #expect(try error(to: "localhost", trusting: "host") == nil)
    #expect(try error(to: "192.0.2.1", trusting: "host") == .certificate(.otherHost))
  }

  @Test(arguments: [#"{"type":"hello"}"# + "\n", "\n", "HTTP/1.1 400 Bad Request\r\n\r\n"])
  func `a server that speaks another protocol is recognized by its first byte`(
    text: String
  ) throws {
    let client = try TLSClientFixture()
    client.far.send(Array(text.utf8).span)
    client.network.run()
    #expect(client.error == .notTLS)
    #expect(client.near.isClosed)
  }

  @Test func `a server that sends nonsense in a TLS record is refused`() throws {
    let client = try TLSClientFixture()
    client.far.send([0x16, 3, 3, 0, 4, 1, 2, 3, 4].span)
    client.network.run()
    guard case .refused(let reason) = client.error else {
      Issue.record("\(String(describing: client.error))")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func `a server that closes during the handshake is reported`() throws {
    let closed = try TLSClientFixture()
    closed.far.close()
    closed.network.run()
    #expect(closed.error == .closed)
    let reset = try TLSClientFixture()
    reset.far.reset()
    #expect(reset.error == .broken(SystemError(call: "recv", code: 104)))
  }

  @Test func `a server that does not answer has 5 seconds`() throws {
    let client = try TLSClientFixture()
    client.network.run()
    client.timers.advance(by: .milliseconds(4_999))
    #expect(client.result == nil)
    client.timers.advance(by: .milliseconds(1))
    #expect(client.error == .timedOut)
    #expect(client.near.isClosed)
  }

  @Test func `a handshake that is cancelled closes the connection and has no result`() throws {
    let client = try TLSClientFixture()
    client.handshake?.cancel()
    client.network.run()
    client.timers.advance(by: .seconds(60))
    #expect(client.result == nil)
    #expect(client.near.isClosed)
  }

  @Test func `a file without certificates is refused with a sentence`() {
    let none = TLSFixture.path(of: "none")
    for (file, reason) in [
      (none, "No such file or directory"), (#filePath, "it has no certificates in PEM format"),
    ] {
      #expect(
        throws: ConfigurationError(
          message: "\(file), the file of --tls-ca, cannot be used: \(reason).")
      ) { try TLSContext(trusting: TLSFile(file, of: "--tls-ca")) }
    }
  }
}
