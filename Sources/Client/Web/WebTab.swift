import Shared

/// The process of a tab. It has the tree, see `WebWindow`.
protocol TabProcess: AnyObject {
  /// Carries a `WebVisit`, and then the messages of the page: frames of a WebSocket without masks.
  var connection: any Connection { get }

  /// Ends it at once, whatever it does.
  func kill()
}

extension ChildProcess: TabProcess {}

/// A tab: a process with the tree of one person, and the page that shows it. It outlives the
/// connection of the page for `keepTime`, so that a reload or a tunnel changes nothing.
///
/// Nothing here waits for the process: if it ends by an error, or does not answer, the page begins
/// again with a new one.
final class WebTab {
  /// How long a tab without a page is kept.
  static let keepTime = Duration.seconds(60)
  /// The time between two pings. A process that answers to none of `maxPings` is ended.
  static let pingTime = Duration.seconds(4)
  static let maxPings = 2

  /// With it, a page that has lost its connection gets this tab again.
  let secret: String
  /// The host of the visitor, which counts towards the limit for each address.
  let visitor: IPAddress
  /// Whether the tree has ended, and the process has only to exit.
  private(set) var isOver = false
  private let process: any TabProcess
  private unowned let server: WebServer
  private weak var page: WebPage?
  /// Whether the process knows of the page. What it has sent before is for an earlier one.
  private var isAttached = false
  private var reader = WebSocketReader(isMasked: false)
  private var keepTimer: LoopTimer?
  private var pingTimer: LoopTimer?
  /// The number of pings without an answer.
  private var pings = 0

  init(_ process: any TabProcess, visit: WebVisit, server: WebServer) {
    self.process = process
    self.server = server
    (secret, visitor) = (visit.secret, visit.address)
    process.connection.delegate = self
    send(.text, visit.text)
    ping()
  }

  func attach(_ page: WebPage, size: Size) {
    let old = self.page
    self.page = page
    // Its connection may be lost without a sign, or the tab was copied.
    old?.send("xThis game goes on in another tab.")
    old?.close()
    keepTimer?.cancel()
    isAttached = false
    send(.text, "h\(size.rows) \(size.columns)  /")
  }

  /// The connection of a page has ended.
  func detach(_ page: WebPage) {
    guard self.page === page || self.page == nil, !isOver else { return }
    self.page = nil
    keepTimer?.cancel()
    keepTimer = server.timers.schedule(after: Self.keepTime) { [weak self] in self?.end() }
  }

  /// Passes a message of a page on.
  func receive(_ text: some StringProtocol, from page: WebPage) {
    if self.page === page { send(.text, text) }
  }

  private func send(_ kind: WebSocketFrame.Kind, _ text: some StringProtocol) {
    process.connection.send(WebSocketFrame.bytes(kind, Array(text.utf8)).span)
  }

  private func ping() {
    guard pings < Self.maxPings else { return process.kill() }
    pings += 1
    send(.ping, "")
    pingTimer = server.timers.schedule(after: Self.pingTime) { [weak self] in self?.ping() }
  }

  /// Passes a message of the process on.
  private func pass(_ text: String) {
    switch text.first {
    case "k": isAttached = true
    case "x", "e": isOver = true
    case "f" where page != nil:
      server.figures.frames += 1
      server.figures.bytes += text.utf8.count - 1
    default: break
    }
    guard isAttached else { return }
    page?.send(text)
    if isOver { page?.close() }
  }

  /// Ends the tab. A page comes back with the token of its session.
  func end() {
    isOver = true
    process.kill()
    processDidEnd()
  }

  private func processDidEnd() {
    keepTimer?.cancel()
    pingTimer?.cancel()
    process.connection.close()
    if !isOver {
      isOver = true
      server.figures.faults += 1
      page?.send("nThis tab had an error, and starts again …")
    }
    page?.close(1011)
    server.remove(self)
  }
}

extension WebTab: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    reader.append(bytes)
    do throws(WebSocketError) {
      while let message = try reader.next() {
        switch message {
        case .text(let text): pass(text)
        case .pong: pings = 0
        case .ping, .close: break
        }
      }
    } catch {
      process.kill()
    }
  }

  // The page waits for the process.
  func connectionDidBlock(_ connection: any Connection) { page?.isReading = false }

  func connectionDidDrain(_ connection: any Connection) { page?.isReading = true }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) { processDidEnd() }
}
