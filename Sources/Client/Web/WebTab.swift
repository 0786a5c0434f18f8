import RIBs
import Shared

/// The window of one person: a page in a browser, with a client tree of its own. It outlives the
/// connection of the page for `keepTime`, so that a reload or a tunnel changes nothing.
final class WebTab {
  /// How long a tab without a page is kept.
  static let keepTime = Duration.seconds(60)
  /// How long a person may do nothing before the tab ends.
  static let idleTime = Duration.seconds(3_600)
  /// A spinner moves once a second: at the rate of a terminal, those of 200 tabs take a core.
  private static let screenSettings = ScreenSettings(
    marksWidths: true, namesButtons: true, tickLength: .seconds(1))

  /// With it, a page that has lost its connection gets this tab again.
  let secret: String
  /// The host of the visitor, which counts towards the limit for each address.
  let visitor: IPAddress
  let screen: Screen
  /// Where the tree keeps the token of its session.
  private(set) var tokens: any TokenStore
  private let timers: any Timers
  private unowned let server: WebServer
  private let didEnd: (WebTab) -> Void
  private var root: (any LaunchRouting)?
  private weak var page: WebPage?
  private var keepTimer: LoopTimer?
  private var idleTimer: LoopTimer?
  private var lastKey: Duration
  /// What the page knows: the last message of each kind.
  private var lastSent: [Character: String] = [:]
  private var buttons: [Frame.Button] = []
  /// What the browser has to keep.
  private var kept: BrowserSession?
  private var isOver = false

  init(
    secret: String, visit: WebVisit, size: Size, server: WebServer,
    didEnd: @escaping (WebTab) -> Void
  ) {
    self.secret = secret
    visitor = visit.address
    self.server = server
    timers = server.timers
    self.didEnd = didEnd
    lastKey = timers.now
    kept = visit.kept
    let output = Output()
    screen = Screen(size: size, timers: timers, settings: Self.screenSettings) {
      output.write?($0)
    }
    tokens = BrowserTokens(visit.kept) { output.keep?($0) }
    output.write = { [weak self] in self?.draw($0) }
    output.keep = { [weak self] in self?.keep($0) }
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
    var keep: ((BrowserSession?) -> Void)?
  }

  /// Starts the tree.
  func launch(_ dependency: any RootDependency) {
    let root = RootBuilder(dependency: dependency).build(withListener: self)
    self.root = root
    root.launch(from: screen)
  }

  func attach(_ page: WebPage, size: Size) {
    let old = self.page
    self.page = page
    // Its connection may be lost without a sign, or the tab was copied.
    old?.send("xThis game goes on in another tab.")
    old?.close()
    keepTimer?.cancel()
    lastSent = [:]
    buttons = []
    screen.isWaiting = false
    page.send("k\(secret)")
    page.send("t\(kept?.text ?? "")")
    screen.redraw(size: size)
  }

  /// The connection of a page has ended.
  func detach(_ page: WebPage) {
    guard self.page === page || self.page == nil, !isOver else { return }
    self.page = nil
    screen.pause()
    keepTimer?.cancel()
    keepTimer = timers.schedule(after: Self.keepTime) { [weak self] in self?.end(nil) }
  }

  func receive(_ input: WebInput, from page: WebPage) {
    guard self.page === page else { return }
    switch input {
    case .resize(let size): screen.redraw(size: size)
    case .keys(let keys):
      lastKey = timers.now
      server.figures.keys += keys.count
      for key in keys where !isOver { screen.press(key) }
    case .drawn: screen.isWaiting = false
    case .alive: page.send("i")
    case .hello: break
    }
  }

  /// The browser keeps a session, or none.
  private func keep(_ session: BrowserSession?) {
    kept = session
    page?.send("t\(session?.text ?? "")")
  }

  /// Sends what differs from the last frame, and what a screen reader says. The next frame waits
  /// until the page has drawn this one.
  private func draw(_ bytes: [UInt8]) {
    guard let page else { return }
    screen.isWaiting = true
    let content = screen.content
    send("s", content?.spoken.joined(separator: "\n") ?? "")
    send("y", content?.isOwnTurn == true ? "1" : "0")
    send("l", content?.link ?? "")
    send("w", (content?.isTyping == true ? "1" : "0") + (content?.usesTab == true ? "1" : "0"))
    if screen.buttons != buttons {
      buttons = screen.buttons
      let lines = buttons.map { "\($0.position.row) \($0.position.column) \($0.label)" }
      page.send("b\(lines.joined(separator: "\n"))")
    }
    page.send("f\(String(decoding: bytes, as: UTF8.self))")
    page.charge(WebPage.frameCost)
    server.figures.frames += 1
    server.figures.bytes += bytes.count
  }

  /// Sends what the page has to know besides the frame, when it changes.
  private func send(_ kind: Character, _ text: String) {
    guard lastSent[kind] != text else { return }
    lastSent[kind] = text
    page?.send("\(kind)\(text)")
  }

  /// Ends the tree, and sends the page the reason. Without a sentence the person has left, and the
  /// browser forgets the session.
  func end(_ sentence: String?) {
    guard !isOver else { return }
    isOver = true
    keepTimer?.cancel()
    idleTimer?.cancel()
    screen.pause()
    page?.send(sentence.map { "x\($0)" } ?? "eYou have left the game.")
    page?.close()
    // This may be called by the tree.
    timers.schedule(after: .zero) { [self] in
      root?.interactable.deactivate()
      root = nil
      didEnd(self)
    }
  }
}

extension WebTab: RootListener {
  func rootDidFinish(_ report: ExitReport) { end(report.sentence) }
}
