import RIBs
import Shared

/// The window of one person: a page in a browser, with a client tree of its own. It is all that the
/// process of a tab does; what it reads and writes are the messages of the page.
final class WebWindow {
  /// How long a person may do nothing before the tab ends.
  static let idleTime = Duration.seconds(3_600)
  /// A spinner moves once a second: at the rate of a terminal, those of 200 tabs take a core.
  private static let screenSettings = ScreenSettings(
    marksWidths: true, namesButtons: true, tickLength: .seconds(1))

  let screen: Screen
  /// Where the tree keeps the token of its session.
  private(set) lazy var tokens: any TokenStore = BrowserTokens(kept) { [weak self] in
    self?.keep($0)
  }
  private let connection: any Connection
  private let timers: any Timers
  private let makeDependency: (WebWindow, WebVisit) -> any RootDependency
  private let didEnd: () -> Void
  private var secret = ""
  private var reader = WebSocketReader(isMasked: false)
  private var root: (any LaunchRouting)?
  private var idleTimer: LoopTimer?
  private var lastKey: Duration
  /// What the page knows: the last message of each kind.
  private var lastSent: [Character: String] = [:]
  private var buttons: [Frame.Button] = []
  /// What the browser has to keep.
  private var kept: BrowserSession?
  private var isOver = false

  /// `makeDependency` returns what the tree needs. `didEnd` is called once, when the tree has ended
  /// and the connection is closing.
  init(
    _ connection: any Connection, timers: any Timers,
    makeDependency: @escaping (WebWindow, WebVisit) -> any RootDependency,
    didEnd: @escaping () -> Void
  ) {
    self.connection = connection
    self.timers = timers
    self.makeDependency = makeDependency
    self.didEnd = didEnd
    lastKey = timers.now
    let output = Output()
    // The page says its size before anything is drawn.
    screen = Screen(size: WebInput.maxSize, timers: timers, settings: Self.screenSettings) {
      output.write?($0)
    }
    output.write = { [weak self] in self?.draw($0) }
    connection.delegate = self
    endWhenIdle()
  }

  private func endWhenIdle() {
    let left = lastKey + Self.idleTime - timers.now
    idleTimer = timers.schedule(after: max(left, .seconds(1))) { [weak self] in
      guard let self else { return }
      guard timers.now - lastKey < Self.idleTime else {
        return end("Nothing was typed here for an hour, so this page has left the game.")
      }
      endWhenIdle()
    }
  }

  private final class Output {
    var write: (([UInt8]) -> Void)?
  }

  /// Starts the tree.
  private func begin(_ visit: WebVisit) {
    (secret, kept) = (visit.secret, visit.kept)
    let root = RootBuilder(dependency: makeDependency(self, visit)).build(withListener: self)
    self.root = root
    root.launch(from: screen)
  }

  private func receive(_ text: String) {
    guard root != nil else { return WebVisit(text).map(begin) ?? endTree() }
    switch WebInput(text) {
    case .hello(let size, _, _, _):
      lastSent = [:]
      buttons = []
      screen.isWaiting = false
      send("k\(secret)")
      send("t\(kept?.text ?? "")")
      screen.redraw(size: size)
    case .resize(let size): screen.redraw(size: size)
    case .keys(let keys):
      lastKey = timers.now
      for key in keys where !isOver { screen.press(key) }
    case .drawn: screen.isWaiting = false
    case .alive, nil: break
    }
  }

  /// The browser keeps a session, or none.
  private func keep(_ session: BrowserSession?) {
    kept = session
    send("t\(session?.text ?? "")")
  }

  /// Sends what differs from the last frame, and what a screen reader says. The next frame waits
  /// until the page has drawn this one; if there is no page, until there is one.
  private func draw(_ bytes: [UInt8]) {
    screen.isWaiting = true
    let content = screen.content
    send("s", content?.spoken.joined(separator: "\n") ?? "")
    send("y", content?.isOwnTurn == true ? "1" : "0")
    send("l", content?.link ?? "")
    send("w", (content?.isTyping == true ? "1" : "0") + (content?.usesTab == true ? "1" : "0"))
    if screen.buttons != buttons {
      buttons = screen.buttons
      let lines = buttons.map { "\($0.position.row) \($0.position.column) \($0.label)" }
      send("b\(lines.joined(separator: "\n"))")
    }
    send("f\(String(decoding: bytes, as: UTF8.self))")
  }

  /// Sends what the page has to know besides the frame, when it changes.
  private func send(_ kind: Character, _ text: String) {
    guard lastSent[kind] != text else { return }
    lastSent[kind] = text
    send("\(kind)\(text)")
  }

  private func send(_ text: String) {
    connection.send(WebSocketFrame.bytes(.text, Array(text.utf8)).span)
  }

  /// Ends the tree, and sends the page the reason. Without a sentence the person has left, and the
  /// browser forgets the session.
  private func end(_ sentence: String?) {
    guard !isOver else { return }
    send(sentence.map { "x\($0)" } ?? "eYou have left the game.")
    endTree()
  }

  private func endTree() {
    guard !isOver else { return }
    isOver = true
    idleTimer?.cancel()
    screen.pause()
    connection.close()
    // This may be called by the tree.
    timers.schedule(after: .zero) { [self] in
      root?.interactable.deactivate()
      root = nil
      didEnd()
    }
  }
}

extension WebWindow: RootListener {
  func rootDidFinish(_ report: ExitReport) { end(report.sentence) }
}

extension WebWindow: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    reader.append(bytes)
    do throws(WebSocketError) {
      while !isOver, let message = try reader.next() {
        switch message {
        case .text(let text): receive(text)
        case .ping: connection.send(WebSocketFrame.bytes(.pong, []).span)
        case .pong, .close: break
        }
      }
    } catch {
      endTree()
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) { endTree() }
}
