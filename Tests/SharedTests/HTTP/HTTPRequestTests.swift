import Shared
import Testing

@Suite struct HTTPRequestTests {
  /// Reads a text as one piece, and byte by byte; both must have the same result.
  private func read(_ text: String) -> Result<HTTPRequest?, HTTPStatus> {
    func read(_ pieces: [[UInt8]]) -> Result<HTTPRequest?, HTTPStatus> {
      var reader = HTTPRequestReader()
      do throws(HTTPStatus) {
        for piece in pieces {
          reader.append(piece.span)
          if let request = try reader.next() { return .success(request) }
        }
        return .success(nil)
      } catch {
        return .failure(error)
      }
    }
    let whole = read([Array(text.utf8)])
    #expect(read(text.utf8.map { [$0] }) == whole)
    return whole
  }

  private func request(_ text: String) throws -> HTTPRequest {
    try #require(try read(text).get())
  }

  @Test func `a request has a method and a path`() throws {
    let head = "GET /metrics HTTP/1.1\r\nHost: here\r\nAccept: */*\r\n\r\n"
    let request = try request(head)
    #expect(request.method == "GET")
    #expect(request.path == "/metrics")
    #expect(request.keepsConnection)
    for length in 0..<head.utf8.count {
      #expect(try read(String(decoding: head.utf8.prefix(length), as: UTF8.self)).get() == nil)
    }
  }

  @Test(arguments: [
    ("/metrics?name[]=up", "/metrics"), ("/#there", "/"), ("http://here:9100/readyz?a", "/readyz"),
    ("http://here", "/"), ("*", "*"),
  ])
  func `the path is the target without its host and query`(target: String, path: String) throws {
    #expect(try request("GET \(target) HTTP/1.1\nHost: here\n\n").path == path)
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\n", false),
    ("HTTP/1.1", "connection: TE, Close\n", false), ("HTTP/1.0", "", false),
    ("HTTP/1.0", "Connection: Keep-Alive\n", true),
    ("HTTP/1.1", "Connection: keep-alive\nConnection: close\n", false),
    ("HTTP/1.1", "Content-Length: 0\n", true), ("HTTP/1.1", "Content-Length: 10\n", false),
    ("HTTP/1.1", "Transfer-Encoding: chunked\n", false),
  ])
  func `the connection is kept if the client wants it and there is no body`(
    version: String, fields: String, isKept: Bool
  ) throws {
    let request = try request("GET / \(version)\nHost: here\n\(fields)\n")
    #expect(request.keepsConnection == isKept)
  }

  @Test func `empty lines before a request are ignored`() throws {
    #expect(try request("\r\n\nHEAD / HTTP/1.0\r\n\r\n").method == "HEAD")
  }

  @Test(arguments: [
    "hello", "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", "GET metrics HTTP/1.1",
    "G\tT / HTTP/1.1",
    "GET / HTTP/1,1", "GET / HTTP/11", "GET / http/1.1", "G(T / HTTP/1.1", " GET / HTTP/1.1",
    "GET /\0 HTTP/1.1", "GET / HTTP/1.1\nHost : here", "GET / HTTP/1.1\nHost: a\n folded",
    "GET / HTTP/1.1\nno field", "GET / HTTP/1.1\n: no name", "GET / HTTP/1.1\nHost: a\rb",
    "GET / HTTP/1.1\nHost: a\nContent-Length: -1", "GET / HTTP/1.1\nHost: a\nContent-Length:",
    "GET / HTTP/1.1\n", "GET / HTTP/1.1\nHost: a\nHost: b\n", "GET / HTTP/1.0\nHost: a\nHost: b\n",
    "\u{16}\u{3}\u{1}", "ÄÖÜ / HTTP/1.1", "GET ://x HTTP/1.1",
  ])
  func `a bad request is refused as soon as its bad line is complete`(text: String) {
    #expect(read("\(text)\n") == .failure(.badRequest))
  }

  @Test(arguments: ["HTTP/2.0", "HTTP/0.9", "HTTP/3.0"])
  func `another version is not supported`(version: String) {
    #expect(read("GET / \(version)\n") == .failure(.versionNotSupported))
  }

  @Test func `a head may have 8 KiB, but no more`() throws {
    func head(size: Int) -> String {
      let (begin, end) = ("GET / HTTP/1.1\r\nHost: here\r\nFill: ", "\r\n\r\n")
      return begin + String(repeating: "a", count: size - begin.utf8.count - end.utf8.count) + end
    }
    #expect(try request(head(size: HTTPRequestReader.maxSize)).path == "/")
    #expect(read(head(size: HTTPRequestReader.maxSize + 1)) == .failure(.headTooLarge))
    #expect(read(String(repeating: "a", count: 8_191)) == .success(nil))
    #expect(read(String(repeating: "a", count: 8_192)) == .failure(.headTooLarge))
    #expect(read(String(repeating: "\n", count: 101)) == .failure(.headTooLarge))
    let fields = String(repeating: "a:\n", count: HTTPRequestReader.maxLines)
    #expect(read("GET / HTTP/1.0\n\(fields)") == .failure(.headTooLarge))
  }

  @Test func `requests that arrive together are read one after the other`() throws {
    var reader = HTTPRequestReader()
    reader.append(Array("GET /a HTTP/1.0\n\nGET /b HTTP/1.0\n\nGET /c".utf8).span)
    #expect(try reader.next()?.path == "/a")
    #expect(try reader.next()?.path == "/b")
    #expect(try reader.next() == nil)
    #expect(!reader.isEmpty)
    reader.append(Array(" HTTP/1.0\n\n".utf8).span)
    #expect(try reader.next()?.path == "/c")
    #expect(reader.isEmpty)
  }
}
