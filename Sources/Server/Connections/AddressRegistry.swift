import Shared

/// The addresses that hold something, or did a moment ago.
final class AddressRegistry {
  /// How often the log sums up, and addresses that hold nothing any more are forgotten.
  static let interval: Duration = .seconds(1)

  private let limits: AddressLimits
  private let timers: any Timers
  private let serverLog: ServerLog
  /// By IPv4 address, or IPv6 /64.
  private var usages: [IPAddress: AddressUsage] = [:]
  /// By IPv6 /48.
  private var widerUsages: [IPAddress: AddressUsage] = [:]
  /// To be looked at when the timer fires, which it does only while there are some.
  private var watched: [AddressUsage] = []

  /// Without a limit on connections an address has no limit at all.
  init(_ limits: AddressLimits, timers: any Timers, serverLog: ServerLog) {
    self.limits = limits.connections == nil ? AddressLimits() : limits
    self.timers = timers
    self.serverLog = serverLog
  }

  /// What the address holds and does.
  func usage(of address: IPAddress) -> AddressUsage {
    let network = address.subnet
    if let usage = usages[network] { return usage }
    let usage = AddressUsage(
      network, limits, wider: address.site.map { wider(of: $0) }, in: self)
    usages[network] = usage
    return usage
  }

  private func wider(of site: IPAddress) -> AddressUsage {
    if let usage = widerUsages[site] { return usage }
    let usage = AddressUsage(site, limits.wider, wider: nil, in: self)
    widerUsages[site] = usage
    return usage
  }

  /// Looks at it when the timer fires: whether it has to be logged, and whether to forget it.
  func watch(_ usage: AddressUsage) {
    guard !usage.isWatched else { return }
    usage.isWatched = true
    if watched.isEmpty { schedule() }
    watched.append(usage)
  }

  private func schedule() {
    timers.schedule(after: Self.interval) { [weak self] in self?.lookAtAll() }
  }

  private func lookAtAll() {
    let usages = watched
    watched = []
    for usage in usages {
      usage.isWatched = false
      look(at: usage)
    }
  }

  private func look(at usage: AddressUsage) {
    if let fields = usage.takeLogFields() { serverLog.log.write(.info, "connections", fields) }
    if usage.isUnused(at: timers.now) {
      forget(usage)
    } else if !usage.isHolding {
      watch(usage)
    }
  }

  private func forget(_ usage: AddressUsage) {
    if widerUsages[usage.network] === usage {
      widerUsages[usage.network] = nil
    } else {
      usages[usage.network] = nil
      usage.leaveWider()
      if let wider = usage.wider { look(at: wider) }
    }
  }
}
