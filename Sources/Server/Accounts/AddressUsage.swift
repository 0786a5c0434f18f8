import Shared

/// The usage of one address, which `AddressLimits` limits. The usage of an IPv6 /64 also counts for
/// its /48.
final class AddressUsage {
  /// The IPv4 address, or the first address of the IPv6 network.
  let network: IPAddress
  /// The usage of the /48 that contains this /64; `nil` for an IPv4 address and for a /48.
  let site: AddressUsage?
  private var limits: AddressLimits
  private weak var registry: AddressRegistry?
  /// The number of known /64 networks in this /48.
  private var subnetCount = 0
  /// The number of connections whose descriptors are open.
  private var connections = 0
  /// The number of rejected connections whose descriptors are open.
  private var rejected = 0
  private var matches = 0
  private var unsentBytes = 0
  private var lines: TokenBucket?
  private var logins: TokenBucket?
  private var processor: ProcessorShare?
  private var unknownCodes: SlidingWindow?
  /// Whether lines may have to wait. For most lines, only this is checked.
  private(set) var hasToWait = false
  private var log = AddressLog()
  /// Whether the registry checks this usage when its timer fires.
  var isWatched = false

  /// A usage that is neither limited nor registered, for sessions that had no connection yet.
  static var ofNobody: AddressUsage { AddressUsage(.loopback, AddressLimits(), site: nil, in: nil) }

  init(
    _ network: IPAddress, _ limits: AddressLimits, site: AddressUsage?,
    in registry: AddressRegistry?
  ) {
    self.registry = registry
    self.network = network
    self.limits = limits
    self.site = site
    lines = limits.lineBucket
    logins = limits.loginBucket
    processor = limits.processorPercent.map { ProcessorShare(percent: $0) }
    unknownCodes = limits.unknownCodesPerMinute.map {
      SlidingWindow(max: $0, within: .seconds(60))
    }
    site?.subnetCount += 1
  }

  /// Takes up other limits. The rates begin again.
  func apply(_ limits: AddressLimits) {
    self.limits = limits
    lines = limits.lineBucket
    logins = limits.loginBucket
    processor = limits.processorPercent.map { ProcessorShare(percent: $0) }
  }

  /// Called when a /64 is dropped.
  func leaveSite() { site?.subnetCount -= 1 }

  private func didRelease() {
    if !isHolding { registry?.watch(self) }
  }

  /// Whether there are connections, matches or /64 networks that will be removed again.
  var isHolding: Bool { connections > 0 || rejected > 0 || matches > 0 || subnetCount > 0 }

  /// Whether the usage equals that of a new address, so that it can be dropped.
  func isUnused(at now: Duration) -> Bool {
    !isHolding && log.isQuiet(at: now) && lines?.isFull(at: now) != false
      && logins?.isFull(at: now) != false
      && processor?.isUnused(at: now) != false
      && unknownCodes?.isEmpty(at: now) != false
  }

  var hasRoomForConnection: Bool {
    connections < limits.connections ?? .max && site?.hasRoomForConnection != false
  }

  func addConnection() {
    connections += 1
    site?.addConnection()
  }

  func removeConnection() {
    connections -= 1
    didRelease()
    site?.removeConnection()
  }

  var hasRoomForRejected: Bool {
    rejected < AddressLimits.maxRejected && site?.hasRoomForRejected != false
  }

  func addRejected() {
    rejected += 1
    site?.addRejected()
  }

  func removeRejected() {
    rejected -= 1
    didRelease()
    site?.removeRejected()
  }

  var hasRoomForMatch: Bool {
    matches < limits.matches ?? .max && site?.hasRoomForMatch != false
  }

  func addMatch() {
    matches += 1
    site?.addMatch()
  }

  func removeMatch() {
    matches -= 1
    didRelease()
    site?.removeMatch()
  }

  var hasTooMuchUnsent: Bool {
    unsentBytes > limits.unsentBytes ?? .max || site?.hasTooMuchUnsent == true
  }

  func addUnsent(_ bytes: Int) {
    unsentBytes += bytes
    site?.addUnsent(bytes)
  }

  /// Returns whether one more connection may have log lines of its own. All addresses of an IPv6
  /// /48 count together, because its owner has 65,536 /64 networks.
  func mayLogConnection(at now: Duration) -> Bool {
    site?.mayLogConnection(at: now) ?? log.admits(at: now)
  }

  /// Counts an event that has no log line of its own.
  func countInLog(_ event: AddressLog.Event) {
    guard site == nil else { site?.countInLog(event); return }
    log.count(event)
    registry?.watch(self)
  }

  /// Returns the counts for the log since the last call; `nil` if there are none.
  func takeLogFields() -> LogFields? {
    guard !log.isEmpty else { return nil }
    return log.takeFields(of: network.description)
  }

  /// Takes the tokens of `count` lines.
  ///
  /// - Returns: `nil` if there were enough, otherwise the time until there are.
  func takeLines(_ count: Int, at now: Duration) -> Duration? {
    if let retry = lines?.take(count, at: now) { return retry }
    return site?.takeLines(count, at: now)
  }

  /// How many lines the address may send each millisecond; 0 without a limit.
  var linesPerMillisecond: Int { (limits.linesPerSecond ?? 0) / 1_000 }

  /// Takes the token of a `login` or `resume`.
  ///
  /// - Returns: `nil` if there was one, otherwise the time until there is.
  func takeLogin(at now: Duration) -> Duration? {
    if let retry = logins?.take(at: now) { return retry }
    return site?.takeLogin(at: now)
  }

  /// Counts a `join` with an unknown code.
  func addUnknownCode(at now: Duration) {
    unknownCodes?.add(at: now)
    site?.addUnknownCode(at: now)
  }

  /// Returns how long a `join` is refused because of too many unknown codes; `nil` if it is not.
  func timeUntilJoin(at now: Duration) -> Duration? {
    unknownCodes?.timeToWait(at: now) ?? site?.timeUntilJoin(at: now)
  }

  /// Counts processor time that lines of this address took.
  func charge(_ time: Duration, at now: Duration) {
    processor?.charge(time, at: now)
    site?.charge(time, at: now)
    hasToWait = computedTimeToWait(at: now) != nil
  }

  /// Returns how long lines have to wait because the address has used its share of the processor;
  /// `nil` if they need not wait.
  func timeToWait(at now: Duration) -> Duration? {
    let time = computedTimeToWait(at: now)
    hasToWait = time != nil
    return time
  }

  private func computedTimeToWait(at now: Duration) -> Duration? {
    processor?.timeToWait(at: now) ?? site?.timeToWait(at: now)
  }
}

/// A share of one processor's time. Lines beyond it wait; they are not refused.
struct ProcessorShare {
  private let percent: Int
  /// How long it takes to earn the processor time that may be used at once.
  private let window: Duration
  /// Lines wait until this time.
  private var freeAt: Duration

  init(percent: Int) {
    self.percent = percent
    window = AddressLimits.processorBurst * 100 / percent
    freeAt = .zero - window
  }

  mutating func charge(_ time: Duration, at now: Duration) {
    freeAt = max(freeAt, now - window) + time * 100 / percent
  }

  func timeToWait(at now: Duration) -> Duration? {
    freeAt > now ? freeAt - now : nil
  }

  func isUnused(at now: Duration) -> Bool { freeAt <= now - window }
}
