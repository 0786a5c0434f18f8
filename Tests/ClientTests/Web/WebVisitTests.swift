import Shared
import TestSupport
import Testing

@testable import Client

/// Whom the page serves, and what it knows about them.
@Suite struct WebVisitTests {
  private func request(_ fields: [String]) throws -> HTTPRequest {
    var reader = HTTPRequestReader()
    let lines = ["GET / HTTP/1.1", "Host: a.example"] + fields + ["", ""]
    reader.append(Array(lines.joined(separator: "\r\n").utf8).span)
    return try #require(try reader.next())
  }

  private static let proxies = ["127.0.0.0/8", "10.0.0.0/8", "fd00::/8"].compactMap(IPNetwork.init)

  @Test(arguments: [
    // A proxy adds at the end; a visitor may have written whatever stands before.
    ("127.0.0.1", ["X-Forwarded-For: 203.0.113.9"], "203.0.113.9"),
    ("127.0.0.1", ["X-Forwarded-For: 198.51.100.1, 203.0.113.9"], "203.0.113.9"),
    ("127.0.0.1", ["X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),
    (
      "127.0.0.1", ["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.9"], "203.0.113.9"
    ),
    ("127.0.0.1", ["X-Forwarded-For: 203.0.113.9:4711"], "203.0.113.9"),
    ("127.0.0.1", ["X-Forwarded-For: 2001:db8::7"], "2001:db8::7"),
    ("127.0.0.1", ["Forwarded: for=192.0.2.60;proto=http;by=203.0.113.43"], "192.0.2.60"),
    (
      "127.0.0.1", [#"Forwarded: proto=https; For="[2001:db8:cafe::17]:4711""#], "2001:db8:cafe::17"
    ),
    ("127.0.0.1", ["Forwarded: for=192.0.2.43, for=198.51.100.17"], "198.51.100.17"),
    // A proxy writes one of the two fields, so a visitor has made up the other one.
    ("127.0.0.1", ["Forwarded: for=192.0.2.60", "X-Forwarded-For: 203.0.113.9"], "127.0.0.1"),
    ("127.0.0.1", ["Forwarded: for=192.0.2.60", "X-Forwarded-For: 192.0.2.60"], "192.0.2.60"),
    // Whoever is no trusted proxy may write what they like.
    ("203.0.113.5", ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.2"], "203.0.113.5"),
    ("127.0.0.1", [], "127.0.0.1"),
    ("127.0.0.1", ["X-Forwarded-For: 10.1.2.3"], "10.1.2.3"),
    ("127.0.0.1", ["X-Forwarded-For: 192.0.2.1, unknown"], "127.0.0.1"),
    ("127.0.0.1", ["Forwarded: for=_hidden"], "127.0.0.1"),
    ("127.0.0.1", ["Forwarded: ;;,,="], "127.0.0.1"),
    ("fd00::1", ["X-Forwarded-For: 192.0.2.1"], "192.0.2.1"),
  ])
  func `the address of a browser behind proxies`(
    peer: String, fields: [String], visitor: String
  ) throws {
    let found = try request(fields).visitor(
      from: try #require(IPAddress(peer)), behind: Self.proxies)
    #expect(found == IPAddress(visitor))
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST:8080", true), ("game.localhost", true), ("127.0.0.1:80", true),
    ("[2001:db8::1]:8080", true), ("play.example.org", true), ("Play.Example.org:443", true),
    ("evil.example", false), ("play.example.org.evil.example", false), ("", false),
    ("xplay.example.org", false), ("a b", false),
  ])
  func `only pages of this host are served`(host: String, isAllowed: Bool) throws {
    var reader = HTTPRequestReader()
    reader.append(Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8).span)
    let settings = WebSettings(names: ["play.example.org"])
    #expect(settings.allows(host: try reader.next()?.host) == isAllowed)
  }

  @Test(arguments: [
    ("abc ann", BrowserSession(token: "abc", name: "ann")),
    ("abc Ann Marie", BrowserSession(token: "abc", name: "Ann Marie")),
    ("", nil), ("abc", nil), (" ann", nil), ("a\u{7}c ann", nil), ("abc ", nil),
    (String(repeating: "a", count: 129) + " ann", nil), ("abc a\"b", nil),
  ])
  func `a session that a browser keeps is read`(text: String, session: BrowserSession?) {
    #expect(BrowserSession(text) == session)
  }

  @Test func `the first message has the size, the secret, the path and the session`() {
    let size = Size(rows: 24, columns: 80)
    #expect(
      WebInput("h24 80 s /join/x tok Ann Marie")
        == .hello(
          size, secret: "s", path: "/join/x", kept: BrowserSession(token: "tok", name: "Ann Marie"))
    )
    #expect(WebInput("h24 80  / ") == .hello(size, secret: "", path: "/", kept: nil))
    #expect(WebInput("h24 80  /") == .hello(size, secret: "", path: "/", kept: nil))
    #expect(WebInput("h24 80 ") == nil)
  }

  @Test func `a browser gives its token only for the name that it belongs to`() {
    var sent: [BrowserSession?] = []
    let tokens = BrowserTokens(BrowserSession(token: "t", name: "Ann")) { sent.append($0) }
    #expect(tokens.take(for: TokenOwner(address: .example, name: "bob")) == nil)
    #expect(tokens.take(for: TokenOwner(address: .example, name: "ann")) == "t")
    tokens.keep("u", former: nil, for: TokenOwner(address: .example, name: "ann"))
    tokens.discard()
    #expect(tokens.take(for: TokenOwner(address: .example, name: "ann")) == nil)
    #expect(sent == [BrowserSession(token: "u", name: "ann"), nil])
  }
}
