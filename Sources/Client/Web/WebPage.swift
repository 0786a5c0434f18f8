import Foundation
import Shared

/// A connection of a browser: requests for files, or, after a handshake, the messages of a page.
final class WebPage {
  /// How long a request and the first message may take, and how long a page may be silent.
  static let timeout = Duration.seconds(30)
  /// The maximum number of messages in a second.
  static let maxRate = 200
  /// The keys that a page may send at once, and in each second afterwards; further ones are
  /// dropped. Held keys are about 30 a second, and the longest text that is pasted with an effect
  /// has 200.
  static let (maxKeys, keysPerSecond) = (400, 40)
  /// The maximum number of bytes that the browser has not read.
  static let maxUnsent = 262_144

  private enum State {
    case request(HTTPRequestReader)
    /// The handshake is done, and the first message has not come.
    case greeting
    case tab(WebTab)
    case closed

    var isOpen: Bool {
      if case .closed = self { false } else { true }
    }
  }

  private let peer: IPAddress
  /// The network towards whose limit this connection counts; `nil` while it is not known.
  private(set) var network: IPAddress?
  /// The handshake of the page.
  private var request: HTTPRequest?
  private let connection: any Connection
  private unowned let server: WebServer
  private var state = State.request(HTTPRequestReader())
  private var reader = WebSocketReader()
  private var timer: LoopTimer?
  private var second = Duration.zero
  private var count = 0
  private var keysLeft = maxKeys
  private var keysTime = Duration.zero

  init(_ connection: any Connection, server: WebServer) {
    self.connection = connection
    self.server = server
    peer = connection.peerAddress.ip
    connection.delegate = self
    connection.onClose = { [weak self] in self?.didClose() }
    startTimer()
  }

  /// Counts the connection. A proxy is known; whose connection it passes on, its request says.
  func begin() {
    guard !server.settings.isProxy(peer), !isAdmitted(from: peer) else { return }
    reset()
  }

  private func isAdmitted(from visitor: IPAddress) -> Bool {
    guard network == nil else { return true }
    guard server.admits(from: visitor.subnet) else { return false }
    network = visitor.subnet
    return true
  }

  private func didClose() {
    end()
    server.remove(self)
  }

  private func startTimer() {
    timer?.cancel()
    timer = server.timers.schedule(after: Self.timeout / 2) { [weak self] in self?.wasSilent() }
  }

  /// The timers of a page in the background hardly run, but its browser answers a ping.
  private func wasSilent() {
    switch state {
    case .tab: connection.send(WebSocketFrame.bytes(.ping, []).span)
    case .request, .greeting, .closed: break
    }
    timer = server.timers.schedule(after: Self.timeout / 2) { [weak self] in self?.reset() }
  }

  /// Whether messages of the page are read. Otherwise it has to wait.
  var isReading: Bool {
    get { connection.isReading }
    set { connection.isReading = newValue }
  }

  /// Sends a message to the page.
  func send(_ text: String) {
    guard state.isOpen else { return }
    let bytes = WebSocketFrame.bytes(.text, Array(text.utf8))
    guard connection.send(bytes.span) > Self.maxUnsent else { return }
    server.count(.unread)
    reset()
  }

  /// Closes the connection when the browser has got everything.
  func close(_ code: UInt16 = 1000) {
    switch state {
    case .greeting, .tab:
      let bytes = WebSocketFrame.bytes(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
      connection.send(bytes.span)
    case .request, .closed: break
    }
    end()
    connection.close()
  }

  private func reset() {
    end()
    connection.reset()
  }

  private func end() {
    timer?.cancel()
    let last = state
    state = .closed
    if case .tab(let tab) = last { tab.detach(self) }
  }

  private func respond(_ head: HTTPRequestReader) {
    var head = head
    do throws(HTTPStatus) {
      guard let request = try head.next() else { return state = .request(head) }
      let visitor = request.visitor(from: peer, behind: server.settings.proxies)
      guard isAdmitted(from: visitor) else {
        return respond(nil, with: HTTPResponse(.unavailable))
      }
      guard server.settings.allows(host: request.host) else {
        return reject(
          .host,
          HTTPResponse(
            .misdirected,
            sentence: "This page has another name. Its operator can add this one: --web-name NAME.")
        )
      }
      guard request.path == "/socket" else {
        return respond(request, with: WebFile.response(to: request))
      }
      guard let key = request.webSocketKey else {
        return reject(.request, HTTPResponse(.forbidden))
      }
      self.request = request
      let accept = Data(WebSocketFrame.accept(key)).base64EncodedString()
      let lines = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: \(accept)", "", "",
      ]
      connection.send(Array(lines.joined(separator: "\r\n").utf8).span)
      state = .greeting
      read(head.takeRest().span)
    } catch {
      reject(.request, HTTPResponse(error))
    }
  }

  private func respond(_ request: HTTPRequest?, with response: HTTPResponse) {
    let bytes = response.bytes(keepsConnection: false, onlyHead: request?.method == "HEAD")
    connection.send(bytes.span)
    close()
  }

  private func reject(_ rejection: WebFigures.Rejection, _ response: HTTPResponse) {
    server.count(rejection)
    respond(nil, with: response)
  }

  private func read(_ bytes: Span<UInt8>) {
    reader.append(bytes)
    do throws(WebSocketError) {
      while state.isOpen, let message = try reader.next() {
        guard isWithinRate else { return rejectMessage(1008) }
        switch message {
        case .text(let text): receive(text)
        case .ping(let payload): connection.send(WebSocketFrame.bytes(.pong, payload).span)
        case .pong: break
        case .close: close()
        }
        if case .tab = state { startTimer() }
      }
    } catch {
      rejectMessage(error.rawValue)
    }
  }

  private func rejectMessage(_ code: UInt16) {
    server.count(.messages)
    close(code)
  }

  private var isWithinRate: Bool {
    if server.timers.now - second >= .seconds(1) { (second, count) = (server.timers.now, 0) }
    count += 1
    return count <= Self.maxRate
  }

  /// Returns as many of some keys, each a character, as the page may send now.
  private func limited(_ keys: Substring) -> Substring {
    let now = server.timers.now
    let more = Int((now - keysTime) / .milliseconds(1_000 / Self.keysPerSecond))
    if more > 0 { (keysLeft, keysTime) = (min(Self.maxKeys, keysLeft + more), now) }
    let allowed = keys.prefix(keysLeft)
    keysLeft -= allowed.count
    server.figures.keys += allowed.count
    server.figures.droppedKeys += keys[allowed.endIndex...].utf8.count
    return allowed
  }

  private func receive(_ text: String) {
    // Of a text, only what may be typed is looked at.
    if case .tab(let tab) = state, let kind = text.first, kind == "t" || kind == "p" {
      let allowed = limited(text.dropFirst())
      return allowed.isEmpty ? () : tab.receive("\(kind)\(allowed)", from: self)
    }
    guard let input = WebInput(text) else { return rejectMessage(1008) }
    switch (state, input) {
    case (.tab, .alive): send("i")
    case (.tab(let tab), .keys):
      if !limited("k").isEmpty { tab.receive(text, from: self) }
    case (.tab(let tab), .resize), (.tab(let tab), .drawn): tab.receive(text, from: self)
    case (.greeting, .hello(let size, let secret, let path, let kept)):
      guard let tab = server.tab(of: secret) ?? server.newTab(for: visit(path, kept)) else {
        send("nThis page is full. Trying again …")
        return close(1013)
      }
      state = .tab(tab)
      tab.attach(self, size: size)
    case (.greeting, _): rejectMessage(1008)
    case (.tab, .hello), (.request, _), (.closed, _): break
    }
  }

  private func visit(_ path: String, _ kept: BrowserSession?) -> WebVisit {
    WebVisit(
      secret: server.random.letters(32), origin: request?.fields["origin"] ?? "",
      address: request?.visitor(from: peer, behind: server.settings.proxies) ?? peer,
      path: path, kept: kept)
  }
}

extension WebPage: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    switch state {
    case .request(var head):
      // No other copy of its bytes may exist while it grows.
      state = .closed
      head.append(bytes)
      respond(head)
    case .greeting, .tab: read(bytes)
    case .closed: break
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) { close() }
}
