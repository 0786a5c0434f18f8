import Shared

/// Serves the page, and holds the tabs. It has no tree: those are in the processes of the tabs.
final class WebServer {
  /// Starts the process of a tab.
  typealias StartProcess = () throws -> any TabProcess

  let timers: any Timers
  let settings: WebSettings
  var figures = WebFigures()
  let random: RandomSource
  private let startProcess: StartProcess
  private var pages: [ObjectIdentifier: WebPage] = [:]
  private var tabs: [String: WebTab] = [:]
  /// The number of connections from each network.
  private var connections: [IPAddress: Int] = [:]

  init(
    timers: any Timers, settings: WebSettings, random: RandomSource,
    startProcess: @escaping StartProcess
  ) {
    self.timers = timers
    self.settings = settings
    self.random = random
    self.startProcess = startProcess
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

  func count(_ rejection: WebFigures.Rejection) {
    figures.refused[rejection, default: 0] += 1
  }

  /// Returns the tab of a secret; `nil` if it is not there any more.
  func tab(of secret: String) -> WebTab? {
    tabs[secret].flatMap { $0.isOver ? nil : $0 }
  }

  /// Returns a new tab; `nil` if there are too many.
  func newTab(for visit: WebVisit) -> WebTab? {
    // As for the limits of the server: whoever has an IPv6 address has a /64 of them.
    let ofAddress = tabs.values.count { $0.visitor.subnet == visit.address.subnet }
    guard ofAddress < settings.maxTabsOfAddress else {
      count(.address)
      return nil
    }
    guard tabs.count < settings.maxTabs, let process = try? startProcess() else {
      count(.tabs)
      return nil
    }
    figures.tabs += 1
    let tab = WebTab(process, visit: visit, server: self)
    tabs[tab.secret] = tab
    return tab
  }

  func remove(_ tab: WebTab) { tabs[tab.secret] = nil }

  /// The page of metrics for Prometheus.
  var metrics: String { figures.text(openTabs: tabs.count, openConnections: pages.count) }

  /// Ends all tabs. Their pages try to come back, with the tokens of their sessions.
  func close() {
    for page in Array(pages.values) { page.close(1012) }
    for tab in Array(tabs.values) { tab.end() }
  }
}

/// How somebody came to the page.
struct WebVisit: Equatable {
  /// With it, the page gets its tab again.
  let secret: String
  /// The scheme and the host of the page, for links.
  let origin: String
  let address: IPAddress
  /// The path with which the page was opened.
  let path: String
  /// The session that the browser has kept.
  let kept: BrowserSession?
}

extension WebVisit {
  /// Reads what `text` returns.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false)
    guard lines.count == 5, let address = IPAddress(String(lines[1])) else { return nil }
    self.init(
      secret: String(lines[0]), origin: String(lines[2]), address: address, path: String(lines[4]),
      kept: BrowserSession(lines[3]))
  }

  /// For the process of the tab. The path may have any characters.
  var text: String { "\(secret)\n\(address)\n\(origin)\n\(kept?.text ?? "")\n\(path)" }
}
