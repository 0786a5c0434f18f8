import RIBs
import Shared

/// The window of one person: a page in a browser, with a client tree of its own. It outlives the
/// connection of the page for `keepTime`, so that a reload or a tunnel changes nothing.
final class WebTab {
  /// How long a tab without a page is kept.
  static let keepTime = Duration.seconds(60)
  /// How long a page may be silent before another page with the same secret takes the tab over.
  static let silence = Duration.seconds(5)

  /// With it, a page that has lost its connection gets this tab again.
  let secret: String
  /// The host of the visitor, which counts towards the limit for each address.
  let visitor: IPAddress
  let screen: Screen
  private let timers: any Timers
  private let didEnd: (WebTab) -> Void
  private var root: (any LaunchRouting)?
  private weak var page: WebPage?
  private var keepTimer: LoopTimer?
  private var lastHeard: Duration
  private var summary: [String] = []
  private var isOver = false

  init(
    secret: String, visitor: IPAddress, size: Size, timers: any Timers,
    didEnd: @escaping (WebTab) -> Void
  ) {
    self.secret = secret
    self.visitor = visitor
    self.timers = timers
    self.didEnd = didEnd
    lastHeard = timers.now
    let output = Output()
    screen = Screen(size: size, timers: timers) { output.write?($0) }
    output.write = { [weak self] in self?.draw($0) }
  }

  private final class Output {
    var write: (([UInt8]) -> Void)?
  }

  /// Starts the tree.
  func launch(_ dependency: any RootDependency) {
    let root = RootBuilder(dependency: dependency).build(withListener: self)
    self.root = root
    root.launch(from: screen)
  }

  /// Whether a page may have this tab: its own page is gone, or has been silent.
  var canBeTaken: Bool {
    page == nil || timers.now - lastHeard > Self.silence
  }

  func attach(_ page: WebPage, size: Size) {
    self.page?.close()
    self.page = page
    lastHeard = timers.now
    keepTimer?.cancel()
    summary = []
    screen.isWaiting = false
    page.send("k\(secret)")
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
    lastHeard = timers.now
    switch input {
    case .resize(let size): screen.redraw(size: size)
    case .keys(let keys):
      for key in keys where !isOver { screen.press(key) }
    case .drawn: screen.isWaiting = false
    case .hello, .alive: break
    }
  }

  /// Sends what differs from the last frame, and what a screen reader says. The next frame waits
  /// until the page has drawn this one.
  private func draw(_ bytes: [UInt8]) {
    guard let page else { return }
    screen.isWaiting = true
    let new = screen.content?.summary ?? []
    if new != summary {
      summary = new
      page.send("s\(new.joined(separator: " "))")
    }
    page.send("f\(String(decoding: bytes, as: UTF8.self))")
  }

  /// Ends the tree, and tells the page why.
  func end(_ sentence: String?) {
    guard !isOver else { return }
    isOver = true
    keepTimer?.cancel()
    screen.pause()
    page?.send("e\(sentence ?? "You have left the game.")")
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
