import Shared

/// Serves the page, and holds the tabs. One for the program.
final class WebServer {
  /// The limits on what strangers can open.
  struct Limits: Equatable {
    var maxTabs = 200
    var maxTabsOfAddress = 20
    /// Connections without a tab, such as requests for files.
    var maxOthers: Int { maxTabs + 64 }
  }

  /// Returns what the tree of a tab needs.
  typealias MakeDependency = (WebTab, WebVisit) -> any RootDependency

  let timers: any Timers
  private let limits: Limits
  private let random: RandomSource
  private let makeDependency: MakeDependency
  private var pages: [WebPage] = []
  private var tabs: [String: WebTab] = [:]

  init(
    timers: any Timers, limits: Limits, random: RandomSource,
    makeDependency: @escaping MakeDependency
  ) {
    self.timers = timers
    self.limits = limits
    self.random = random
    self.makeDependency = makeDependency
  }

  func accept(_ connection: any Connection) {
    guard pages.count < limits.maxTabs + limits.maxOthers else { return connection.reset() }
    pages.append(WebPage(connection, server: self))
  }

  func remove(_ page: WebPage) {
    pages.removeAll { $0 === page }
  }

  /// Returns the tab of a secret, or a new one; `nil` if there are too many.
  func tab(for page: WebPage, secret: String, path: String, size: Size) -> WebTab? {
    if let tab = tabs[secret], tab.canBeTaken { return tab }
    let ofAddress = tabs.values.count { $0.visitor == page.peer }
    guard tabs.count < limits.maxTabs, ofAddress < limits.maxTabsOfAddress else { return nil }
    let tab = WebTab(
      secret: random.letters(32), visitor: page.peer, size: size, timers: timers
    ) { [weak self] in self?.tabs[$0.secret] = nil }
    tabs[tab.secret] = tab
    tab.launch(
      makeDependency(tab, WebVisit(origin: page.origin, address: page.peer, path: path)))
    return tab
  }

  /// Ends all tabs.
  func close() {
    for tab in tabs.values { tab.end("The server of this page stops.") }
  }
}

/// How somebody came to the page.
struct WebVisit {
  /// The scheme and the host of the page, for links.
  let origin: String
  let address: IPAddress
  /// The path with which the page was opened.
  let path: String
}
