import Shared

/// What one address holds and does, counted in one place; see `AddressLimits`. What counts to an
/// IPv6 /64 counts to its /48 as well.
final class AddressUsage {
  /// The IPv4 address, or the first address of the IPv6 network.
  let network: IPAddress
  /// The /48 of a /64.
  let wider: AddressUsage?
  private let limits: AddressLimits
  private weak var registry: AddressRegistry?
  /// How many /64 a /48 knows.
  private var narrower = 0
  /// Connections whose descriptors are open.
  private var connections = 0
  /// Connections that were turned away and whose descriptors are open.
  private var rejected = 0
  private var matches = 0
  private var unsentBytes = 0
  private var lines: TokenBucket?
  private var logins: TokenBucket?
  private var processor: ProcessorShare?
  /// Whether lines may have to wait: the one thing about time that each line asks.
  private(set) var hasToWait = false
  private var log = AddressLog()
  /// Set while it is to be looked at by the registry.
  var isWatched = false

  init(
    _ network: IPAddress, _ limits: AddressLimits, wider: AddressUsage?,
    in registry: AddressRegistry
  ) {
    self.registry = registry
    self.network = network
    self.limits = limits
    self.wider = wider
    lines = limits.lineBucket
    logins = limits.loginBucket
    processor = limits.processorPercent.map { ProcessorShare(percent: $0) }
    wider?.narrower += 1
  }

  /// To be called when a /64 is forgotten.
  func leaveWider() { wider?.narrower -= 1 }

  private func didTakeOff() {
    if !isHolding { registry?.watch(self) }
  }

  /// Whether something is to be taken off again.
  var isHolding: Bool { connections > 0 || rejected > 0 || matches > 0 || narrower > 0 }

  /// Whether nothing would be different if it were forgotten.
  func isUnused(at now: Duration) -> Bool {
    !isHolding && log.isQuiet(at: now) && lines?.isFull(at: now) != false
      && logins?.isFull(at: now) != false
      && processor?.isWhole(at: now) != false
  }

  var hasRoomForConnection: Bool {
    connections < limits.connections ?? .max && wider?.hasRoomForConnection != false
  }

  func addConnection() {
    connections += 1
    wider?.addConnection()
  }

  func removeConnection() {
    connections -= 1
    didTakeOff()
    wider?.removeConnection()
  }

  var hasRoomForRejected: Bool {
    rejected < AddressLimits.rejected && wider?.hasRoomForRejected != false
  }

  func addRejected() {
    rejected += 1
    wider?.addRejected()
  }

  func removeRejected() {
    rejected -= 1
    didTakeOff()
    wider?.removeRejected()
  }

  var hasRoomForMatch: Bool {
    matches < limits.matches ?? .max && wider?.hasRoomForMatch != false
  }

  func addMatch() {
    matches += 1
    wider?.addMatch()
  }

  func removeMatch() {
    matches -= 1
    didTakeOff()
    wider?.removeMatch()
  }

  var hasTooMuchUnsent: Bool {
    unsentBytes > limits.unsentBytes ?? .max || wider?.hasTooMuchUnsent == true
  }

  func addUnsent(_ bytes: Int) {
    unsentBytes += bytes
    wider?.addUnsent(bytes)
  }

  /// Whether the log tells one more connection by itself. All of an IPv6 /48 count together: somebody
  /// who has one has 65,536 of /64.
  func isToldInLog(at now: Duration) -> Bool {
    wider?.isToldInLog(at: now) ?? log.admits(at: now)
  }

  /// Counts what the log does not tell by itself.
  func countInLog(_ event: AddressLog.Event) {
    guard wider == nil else { wider?.countInLog(event); return }
    log.count(event)
    registry?.watch(self)
  }

  /// What was counted for the log since the last time; `nil` for nothing.
  func takeLogFields() -> LogFields? {
    guard !log.isEmpty else { return nil }
    return log.takeFields(of: network.description)
  }

  /// Takes the tokens of `count` lines.
  /// - Returns: `nil` where there were enough, else the time until there are.
  func takeLines(_ count: Int, at now: Duration) -> Duration? {
    if let retry = lines?.take(count, at: now) { return retry }
    return wider?.takeLines(count, at: now)
  }

  /// How many lines the address may send in a millisecond; 0 without a limit.
  var linesPerMillisecond: Int { (limits.linesPerSecond ?? 0) / 1_000 }

  /// A `login` or `resume` came.
  /// - Returns: `nil` where it may be carried out, else the time until it may.
  func takeLogin(at now: Duration) -> Duration? {
    if let retry = logins?.take(at: now) { return retry }
    return wider?.takeLogin(at: now)
  }

  /// Lines took some of the processor's time.
  func charge(_ time: Duration, at now: Duration) {
    processor?.charge(time, at: now)
    wider?.charge(time, at: now)
    hasToWait = computedTimeToWait(at: now) != nil
  }

  /// How long lines have to wait because the address has used its share of the processor; `nil`
  /// where they need not.
  func timeToWait(at now: Duration) -> Duration? {
    let time = computedTimeToWait(at: now)
    hasToWait = time != nil
    return time
  }

  private func computedTimeToWait(at now: Duration) -> Duration? {
    processor?.timeToWait(at: now) ?? wider?.timeToWait(at: now)
  }
}

/// A share of one processor's time: nothing is refused, but what is above it waits.
struct ProcessorShare {
  private let percent: Int
  /// How long the share takes for what may be done at once.
  private let window: Duration
  /// Until then, lines wait.
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

  func isWhole(at now: Duration) -> Bool { freeAt <= now - window }
}
