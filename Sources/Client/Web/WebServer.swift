import Shared

/// Serves the page, and holds the tabs. One for the program.
final class WebServer {
  /// Returns what the tree of a tab needs.
  typealias MakeDependency = (WebTab, WebVisit) -> any RootDependency

  let timers: any Timers
  let settings: WebSettings
  var figures = WebFigures()
  private let random: RandomSource
  private let makeDependency: MakeDependency
  private var pages: [ObjectIdentifier: WebPage] = [:]
  private var tabs: [String: WebTab] = [:]
  /// The number of connections from each network.
  private var connections: [IPAddress: Int] = [:]
  /// Pages that have used much time, and wait for those that have not.
  private var waiting: [WebPage] = []

  init(
    timers: any Timers, settings: WebSettings, random: RandomSource,
    makeDependency: @escaping MakeDependency
  ) {
    self.timers = timers
    self.settings = settings
    self.random = random
    self.makeDependency = makeDependency
  }

  func accept(_ connection: any Connection) {
    guard pages.count < settings.maxConnections else {
      count(.connections)
      return connection.reset()
    }
    let page = WebPage(connection, server: self)
    pages[ObjectIdentifier(page)] = page
    page.begin()
  }

  func remove(_ page: WebPage) {
    pages[ObjectIdentifier(page)] = nil
    guard let network = page.network, let count = connections[network] else { return }
    connections[network] = count > 1 ? count - 1 : nil
  }

  /// Counts a connection from a network. Returns false, and counts a rejection, if there are too
  /// many.
  func admits(from network: IPAddress) -> Bool {
    let number = connections[network, default: 0]
    guard number < settings.maxConnectionsOfAddress else {
      count(.connections)
      return false
    }
    connections[network] = number + 1
    return true
  }

  /// Lets a page go on after those that wait already, one in each turn of the loop.
  func enqueue(_ page: WebPage) {
    waiting.append(page)
    if waiting.count == 1 { scheduleTurn() }
  }

  /// After all input that has arrived: it may be from pages that need not wait.
  private func scheduleTurn() {
    timers.schedule(after: .microseconds(1)) { [weak self] in
      guard let self, let page = waiting.first else { return }
      waiting.removeFirst()
      if !waiting.isEmpty { scheduleTurn() }
      page.takeTurn()
    }
  }

  func count(_ rejection: WebFigures.Rejection) {
    figures.refused[rejection, default: 0] += 1
  }

  /// Returns the tab of a secret, or a new one; `nil` if there are too many.
  func tab(for page: WebPage, secret: String, size: Size, visit: WebVisit) -> WebTab? {
    if let tab = tabs[secret] { return tab }
    // As for the limits of the server: whoever has an IPv6 address has a /64 of them.
    let ofAddress = tabs.values.count { $0.visitor.subnet == visit.address.subnet }
    guard ofAddress < settings.maxTabsOfAddress else {
      count(.address)
      return nil
    }
    guard tabs.count < settings.maxTabs else {
      count(.tabs)
      return nil
    }
    figures.tabs += 1
    let tab = WebTab(
      secret: random.letters(32), visit: visit, size: size, server: self
    ) { [weak self] in self?.tabs[$0.secret] = nil }
    tabs[tab.secret] = tab
    tab.launch(makeDependency(tab, visit))
    return tab
  }

  /// The page of metrics for Prometheus.
  var metrics: String { figures.text(openTabs: tabs.count, openConnections: pages.count) }

  /// Ends all tabs. Their pages try to come back, with the tokens of their sessions.
  func close() {
    for page in Array(pages.values) { page.close(1012) }
    for tab in Array(tabs.values) { tab.end(nil) }
  }
}

/// How somebody came to the page.
struct WebVisit {
  /// The scheme and the host of the page, for links.
  let origin: String
  let address: IPAddress
  /// The path with which the page was opened.
  let path: String
  /// The session that the browser has kept.
  let kept: BrowserSession?
}
