import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// The server of the page, its connections and its tabs, over connections in memory and with a
/// manual clock.
@Suite struct WebServerTests {
  /// A page in a browser.
  private final class Page {
    let connection: MemoryConnection
    private let fixture: Fixture
    private var bytes: [UInt8] = []

    init(_ connection: MemoryConnection, _ fixture: Fixture) {
      (self.connection, self.fixture) = (connection, fixture)
    }

    func send(_ bytes: [UInt8]) {
      connection.send(bytes.span)
      fixture.network.run()
    }

    func send(_ messages: String...) {
      send(messages.flatMap { WebFuzzTarget.frame(1, Array($0.utf8)) })
    }

    /// Returns what has arrived since the last call.
    func receive() -> String {
      fixture.network.run()
      return String(decoding: connection.takeReceived(), as: UTF8.self)
    }

    /// Whether the other end has closed the connection.
    var isOver: Bool { connection.isCut || connection.hasPeerEnded }
  }

  private final class Fixture {
    let network = MemoryNetwork(seed: 1)
    let clock = ManualTimers()
    let server: WebServer
    private let noted: Noted

    /// The processes of the tabs.
    var processes: [MemoryTab] { noted.processes }

    private final class Noted {
      var processes: [MemoryTab] = []
    }

    init(_ settings: WebSettings = WebSettings()) {
      let (clock, thinker, network, noted) = (clock, ManualBotThinker(), network, Noted())
      self.noted = noted
      server = WebServer(
        timers: clock, settings: settings, random: RandomSource(SeededGenerator(seed: 1))
      ) {
        let tab = MemoryTab(over: network, clock: clock, thinker: thinker)
        noted.processes.append(tab)
        return tab
      }
    }

    func connect(from address: String = "192.0.2.1") throws -> Page {
      let (near, far) = network.connect()
      near.peerAddress = SocketAddress(try #require(IPAddress(address)), port: 1)
      server.accept(near)
      return Page(far, self)
    }

    /// Opens a page with a tab.
    func open(
      _ hello: String = "h24 80  /", from address: String = "192.0.2.1"
    ) throws -> Page {
      let page = try connect(from: address)
      page.send(Array(WebFuzzTarget.handshake.utf8))
      page.send(hello)
      draw()
      return page
    }

    func draw() { pass(.milliseconds(40)) }

    func pass(_ time: Duration) { network.pass(time, on: clock) }

    /// Lets time pass. The page is alive, but nothing is typed.
    func pass(_ time: Duration, at page: Page) {
      let end = clock.now + time
      while clock.now < end, !page.isOver {
        page.send("i", "a")
        pass(.seconds(10))
      }
    }
  }

  private func secret(in text: String) throws -> String {
    String(try #require(text.firstMatch(of: /k([a-z0-9]{32})/)).1)
  }

  @Test func `all addresses of a network share its limit of tabs`() throws {
    let fixture = Fixture(WebSettings(maxTabsOfAddress: 2))
    for host in 1...2 { _ = try fixture.open(from: "2001:db8::\(host)") }
    let third = try fixture.open(from: "2001:db8::3")
    #expect(third.receive().contains("nThis page is full. Trying again …"))
    #expect(third.isOver)
    #expect(try fixture.open(from: "2001:db8:0:1::3").isOver == false)
    #expect(fixture.server.figures.refused == [.address: 1])
  }

  @Test func `a page that reads nothing is closed, and the others go on`() throws {
    let fixture = Fixture()
    let (deaf, page) = (try fixture.open(), try fixture.open(from: "192.0.2.2"))
    deaf.connection.isReading = false
    // It asks for whole frames, and claims to have drawn each of them.
    for columns in 0..<5_000 where !deaf.isOver {
      deaf.send("a", "r60 \(columns % 2 == 0 ? 160 : 80)")
      fixture.draw()
    }
    #expect(deaf.isOver)
    #expect(fixture.server.figures.refused == [.unread: 1])
    page.send("a", "r60 160")
    fixture.draw()
    #expect(page.receive().contains("f\u{1B}"))
  }

  @Test func `an address has some connections, and others have more`() throws {
    let settings = WebSettings(maxTabsOfAddress: 2)
    let fixture = Fixture(settings)
    let pages = try (0..<500).map { _ in try fixture.connect() }
    #expect(pages.count { !$0.isOver } == settings.maxConnectionsOfAddress)
    #expect(try fixture.open(from: "192.0.2.2").receive().contains("f\u{1B}"))
    #expect(fixture.server.figures.refused[.connections] == 500 - settings.maxConnectionsOfAddress)
    // Their room is free again when they end.
    for page in pages { page.connection.close() }
    fixture.draw()
    #expect(try fixture.open().receive().contains("f\u{1B}"))
  }

  @Test func `behind a proxy, the visitor's connections count`() throws {
    var settings = WebSettings(maxTabsOfAddress: 0)
    settings.proxies = ["192.0.2.1/32"].compactMap(IPNetwork.init)
    let fixture = Fixture(settings)
    // All requests are passed on for 192.0.2.1, as in the handshake, or for others.
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113."
    let waiting = try (0..<20).map { _ in try fixture.connect() }
    #expect(waiting.allSatisfy { !$0.isOver })
    let handshake = WebFuzzTarget.handshake.replacing("192.0.2.1", with: "203.0.113.1")
    for page in waiting.prefix(8) { page.send(Array(handshake.utf8)) }
    waiting[8].send(Array((request + "1\r\n\r\n").utf8))
    #expect(waiting[8].receive().hasPrefix("HTTP/1.1 503 "))
    waiting[9].send(Array((request + "2\r\n\r\n").utf8))
    #expect(waiting[9].receive().hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `a page that sends no first message is disconnected`() throws {
    let fixture = Fixture()
    let page = try fixture.connect()
    page.send(Array(WebFuzzTarget.handshake.utf8))
    for _ in 0..<3 {
      fixture.clock.advance(by: .seconds(9))
      page.send(WebFuzzTarget.frame(9, []) + WebFuzzTarget.frame(10, []))
    }
    #expect(!page.isOver)
    fixture.clock.advance(by: .seconds(4))
    #expect(page.isOver)
  }

  @Test func `a tab in which nothing is typed for an hour ends, and its browser keeps the session`()
    throws
  {
    let fixture = Fixture()
    let page = try fixture.open()
    fixture.pass(.seconds(3_590), at: page)
    #expect(!page.isOver)
    page.send("tx")
    fixture.pass(.seconds(3_590), at: page)
    #expect(!page.isOver)
    fixture.pass(.seconds(30), at: page)
    #expect(page.isOver)
    #expect(page.receive().contains("xNothing was typed here for an hour"))
  }

  @Test func `a tab whose page only answers pings ends after an hour too`() throws {
    let fixture = Fixture()
    let page = try fixture.open()
    for _ in 0..<359 {
      page.send(WebFuzzTarget.frame(10, []))
      page.send("r24 80", "a")
      fixture.pass(.seconds(10))
    }
    #expect(!page.isOver)
    fixture.pass(.seconds(10))
    #expect(page.isOver)
  }

  @Test func `a tab is kept for a minute without a page`() throws {
    let fixture = Fixture()
    for (seconds, isKept) in [(59, true), (61, false)] {
      let page = try fixture.open()
      let secret = try self.secret(in: page.receive())
      page.send("tz")
      page.connection.close()
      fixture.draw()
      fixture.pass(.seconds(seconds))
      let text = try fixture.open("h24 80 \(secret) /").receive()
      #expect(text.contains("k\(secret)") == isKept)
    }
  }

  @Test func `a tab that an error ends begins again, and the others go on`() throws {
    let fixture = Fixture()
    let page = try fixture.open("h24 80  / token ann")
    let other = try fixture.open(from: "192.0.2.2")
    let secret = try self.secret(in: page.receive())
    other.send("a")
    _ = other.receive()
    fixture.processes[0].kill()
    other.send("tx")
    fixture.draw()
    #expect(page.receive().contains("nThis tab had an error"))
    #expect(page.isOver)
    #expect(other.receive().contains("x"))
    #expect(fixture.server.figures.faults == 1)
    let text = try fixture.open("h24 80 \(secret) / token ann").receive()
    #expect(text.contains("f\u{1B}"))
    #expect(!text.contains("k\(secret)"))
    #expect(fixture.server.metrics.contains("\ntictactoe_web_tabs 2\n"))
  }

  @Test func `a page waits for a tab that hangs, and begins again after 12 s`() throws {
    let fixture = Fixture()
    let (page, other) = (try fixture.open(), try fixture.open(from: "192.0.2.2"))
    fixture.processes[0].hang()
    for _ in 0..<5 { page.send("r24 80") }
    #expect(page.connection.unsent > 0)
    fixture.pass(.seconds(7))
    #expect(!page.isOver)
    fixture.pass(.seconds(5))
    #expect(page.receive().contains("nThis tab had an error"))
    #expect(page.isOver)
    #expect(!other.isOver)
    #expect(fixture.server.figures.faults == 1)
  }

  @Test func `a page that comes back gets nothing that was for the one before`() throws {
    let fixture = Fixture()
    let page = try fixture.open()
    let secret = try self.secret(in: page.receive())
    page.send("a", "tx")
    // A frame for the first page is on its way to the second one.
    fixture.clock.advance(by: .milliseconds(40))
    let text = try fixture.open("h24 80 \(secret) /").receive()
    let first = try #require(text.ranges(of: "\r\n\r\n").first).upperBound
    #expect(text[first...].dropFirst(2).hasPrefix("k\(secret)"))
  }

  @Test func `a page that does not draw gets only the latest frame`() throws {
    let fixture = Fixture()
    let page = try fixture.open()
    #expect(page.receive().contains("f\u{1B}"))
    for letter in "abcdefgh" {
      page.send("t\(letter)")
      fixture.draw()
    }
    #expect(page.receive().isEmpty)
    page.send("a")
    fixture.draw()
    let text = page.receive()
    #expect(text.ranges(of: "f\u{1B}").count == 1)
    #expect(text.contains("abcdefgh"))
  }

  @Test func `a page may send 400 keys at once`() throws {
    let fixture = Fixture()
    let page = try fixture.open()
    page.send("p" + String(repeating: "x", count: 1_000))
    for _ in 0..<100 { fixture.draw() }
    #expect(fixture.server.figures.keys == 400)
    #expect(fixture.server.figures.droppedKeys == 600)
    // 40 more in each second.
    fixture.pass(.seconds(2))
    page.send("p" + String(repeating: "x", count: 1_000))
    for _ in 0..<100 { fixture.draw() }
    #expect((480...640).contains(fixture.server.figures.keys))
  }

  @Test func `a planned end sends the pages away, and they keep their sessions`() throws {
    let fixture = Fixture()
    let page = try fixture.open("h24 80  / token ann")
    _ = page.receive()
    fixture.server.close()
    let text = page.receive()
    // Close code 1012: the service restarts.
    #expect(page.isOver)
    #expect(!text.contains("e") && !text.contains("t"))
    fixture.draw()
    #expect(fixture.server.metrics.contains("\ntictactoe_web_tabs 0\n"))
    #expect(fixture.server.metrics.contains("\ntictactoe_web_connections 0\n"))
  }

  @Test func `the files forbid what is from elsewhere`() throws {
    let fixture = Fixture()
    for (path, status) in [
      ("/", 200), ("/page.js", 200), ("/page.css", 200), ("/watch/7", 200), ("/replay/7", 200),
      ("/join/a", 200), ("/other", 404), ("/page.jsx", 404),
    ] {
      let page = try fixture.connect()
      page.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      let text = page.receive()
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(path)")
      #expect(
        status != 200
          || text.contains("\r\nContent-Security-Policy: default-src 'none'; script-src 'self';"))
      #expect(page.isOver)
    }
  }

  @Test(arguments: [
    ("/watch/7", LaunchAction.watch("7")), ("/replay/7", .replay("7")), ("/join/a", .join("a")),
    ("/", nil), ("/other", nil),
  ])
  func `a tab begins with what its path names`(path: String, action: LaunchAction?) throws {
    let fixture = Fixture()
    _ = try fixture.open("h24 80  \(path)")
    let visit = try #require(fixture.processes.last?.visit)
    #expect(visit.url?.action == action)
    #expect(visit.origin == "http://\(WebFuzzTarget.host)")
    #expect(visit.address == IPAddress("192.0.2.1"))
  }

  @Test func `the process of a tab reads how somebody came`() throws {
    for kept in [nil, BrowserSession(token: "abc", name: "ann")] {
      let visit = WebVisit(
        secret: "s", origin: "http://[::1]:8080", address: .loopback, path: "/join/a\nb", kept: kept
      )
      #expect(WebVisit(visit.text) == visit)
    }
    #expect(WebVisit("h24 80  /") == nil)
  }

  @Test func `the documentation has all metrics of the page`() throws {
    let metrics = Fixture().server.metrics.matches(of: /\n# TYPE (\w+)/).map { String($0.1) }
    let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/web.md")
    let rows = try String(contentsOf: docs, encoding: .utf8)
      .matches(of: /`(tictactoe_web_[a-z_]+)`/).map { String($0.1) }
    #expect(Set(metrics).isSubset(of: rows))
    #expect(!metrics.isEmpty)
  }
}
