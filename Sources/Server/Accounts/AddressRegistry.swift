import Shared

/// The usage of all addresses that have connections or matches, or had some recently.
final class AddressRegistry {
  /// How often counts are logged and unused addresses are dropped.
  static let interval: Duration = .seconds(1)

  private var limits: AddressLimits
  private let timers: any Timers
  private let serverLog: ServerLog
  /// By IPv4 address or IPv6 /64.
  private var usages: [IPAddress: AddressUsage] = [:]
  /// By IPv6 /48.
  private var siteUsages: [IPAddress: AddressUsage] = [:]
  /// The addresses that are checked when the timer fires. The timer runs only while there are some.
  private var watched: [AddressUsage] = []

  /// If `connections` is `nil`, an address has no limits at all.
  init(_ limits: AddressLimits, timers: any Timers, serverLog: ServerLog) {
    self.limits = limits.effective
    self.timers = timers
    self.serverLog = serverLog
  }

  /// Takes up other limits, also for the addresses that have connections.
  func apply(_ limits: AddressLimits) {
    guard limits.effective != self.limits else { return }
    self.limits = limits.effective
    for usage in usages.values { usage.apply(self.limits) }
    for usage in siteUsages.values { usage.apply(self.limits.siteLimits) }
  }

  func usage(of address: IPAddress) -> AddressUsage {
    let network = address.subnet
    if let usage = usages[network] { return usage }
    let usage = AddressUsage(
      network, limits, site: address.site.map { siteUsage(of: $0) }, in: self)
    usages[network] = usage
    return usage
  }

  private func siteUsage(of site: IPAddress) -> AddressUsage {
    if let usage = siteUsages[site] { return usage }
    let usage = AddressUsage(site, limits.siteLimits, site: nil, in: self)
    siteUsages[site] = usage
    return usage
  }

  /// Checks a usage when the timer fires: logs its counts, and drops it if it is unused.
  func watch(_ usage: AddressUsage) {
    guard !usage.isWatched else { return }
    usage.isWatched = true
    if watched.isEmpty { schedule() }
    watched.append(usage)
  }

  private func schedule() {
    timers.schedule(after: Self.interval) { [weak self] in self?.checkAll() }
  }

  private func checkAll() {
    let usages = watched
    watched = []
    for usage in usages {
      usage.isWatched = false
      check(usage)
    }
  }

  private func check(_ usage: AddressUsage) {
    if let fields = usage.takeLogFields() { serverLog.log.write(.info, "connections", fields) }
    if usage.isUnused(at: timers.now) {
      drop(usage)
    } else if !usage.isHolding {
      watch(usage)
    }
  }

  private func drop(_ usage: AddressUsage) {
    if siteUsages[usage.network] === usage {
      siteUsages[usage.network] = nil
    } else {
      usages[usage.network] = nil
      usage.leaveSite()
      if let site = usage.site { check(site) }
    }
  }
}

/// Limits the log lines of an address's connections, and counts connections that get no log lines
/// of their own. Otherwise an address that connects often could fill a disk.
struct AddressLog {
  /// The events that are counted if they get no log line of their own.
  enum Event {
    case opened, loggedIn, rejected
  }

  /// The number of connections that get log lines of their own each second, and at once.
  static let perSecond = 5
  static let burst = 100

  private var bucket = TokenBucket(perSecond: perSecond, burst: burst)
  private var opened = 0
  private var loggedIn = 0
  private var rejected = 0

  /// Returns whether one more connection may have log lines of its own.
  mutating func admits(at now: Duration) -> Bool { bucket.take(at: now) == nil }

  mutating func count(_ event: Event) {
    switch event {
    case .opened: opened += 1
    case .loggedIn: loggedIn += 1
    case .rejected: rejected += 1
    }
  }

  var isEmpty: Bool { opened == 0 && loggedIn == 0 && rejected == 0 }

  func isQuiet(at now: Duration) -> Bool { isEmpty && bucket.isFull(at: now) }

  /// Returns the counts since the last call as log fields.
  mutating func takeFields(of address: String) -> LogFields {
    defer { (opened, loggedIn, rejected) = (0, 0, 0) }
    return [
      "from": .text(address), "opened": .number(opened), "loggedIn": .number(loggedIn),
      "rejected": .number(rejected),
    ]
  }
}
