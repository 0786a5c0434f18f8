import Shared

/// What was measured during one attack, and the verdict on it.
struct AttackResult {
  let attack: Attack
  let metrics: HonestMetrics
  /// How long the attack lasted.
  var time = Duration.zero
  /// Round trips of the echo, measured at the same time.
  var echo = Latencies()
  /// The server's descriptors before the attack, and the most during it.
  var descriptorsBefore = 0
  var maxDescriptors = 0
  /// The server's peak memory, and its memory after the attack; in bytes.
  var memory = 0
  var quietMemory = 0
  /// Bytes that the server wrote to its log during the attack.
  var logBytes = 0
  /// Processor time that the server used during the attack.
  var processorTime = Duration.zero
  /// Matches beside those of the population as the attack ended; `nil` where the server did not
  /// answer.
  var matches: Int?
  /// `nil` where there was no attacker, or it was killed.
  var attacker: AttackerReport?
  var probe: String?
  var probeFailures: [String] = []
  var exitCode: Int32 = 0
  /// The attack was cut short, since the server took too much memory.
  var wasCutShort = false

  var seconds: Double { max(0.001, Double(time.milliseconds) / 1_000) }
  var logPerSecond: Int { Int(Double(logBytes) / seconds) }
  var heldDescriptors: Int { max(0, maxDescriptors - descriptorsBefore) }
  /// Processor time for each line that the attacker received.
  private var lineCost: Duration? {
    guard let lines = attacker?.receivedLines, lines > 0 else { return nil }
    return processorTime / lines
  }

  var notes: [String] {
    var notes: [String] = []
    if let attacker { notes.append("attacker: \(attacker.summary)") }
    if let matches, matches > 0 { notes.append("matches at the end: \(matches)") }
    if let probe { notes.append("honest clients: \(probe)") }
    if attack.thresholds.lineCost != nil, let lineCost {
      notes.append("processor time for a line: \(Int(lineCost / .microseconds(1))) µs")
    }
    if attack.hasPopulation { notes.append("honest games played to their end: \(metrics.games)") }
    if wasCutShort { notes.append("cut short, since the server took too much memory") }
    return notes
  }

  /// The thresholds that were exceeded, as sentences without their full stop; empty is a pass.
  var failures: [String] { probeFailures + harmFailures + delayFailures + resourceFailures }

  private var harmFailures: [String] {
    var failures: [String] = []
    func add(_ counts: [String: Int], _ what: String) {
      guard !counts.isEmpty else { return }
      let reasons = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let count = counts.values.reduce(0, +)
      failures.append("\(count) honest \(what) (\(reasons.joined(separator: ", ")))")
    }
    if exitCode != 0 { failures.append("the server ended with \(exitCode)") }
    add(metrics.lostGames, "games were lost")
    add(metrics.closedConnections, "connections were closed")
    add(metrics.refusals, "commands were refused")
    if let first = metrics.badLines.first {
      failures.append("\(metrics.badLines.count) lines were wrong, the first: \(first)")
    }
    let allowed = Thresholds.remarks.atMost(in: seconds + 1)
    if let most = metrics.remarks.values.max(), most > allowed {
      failures.append("one client sent a player \(most) remarks (\(allowed) allowed)")
    }
    return failures
  }

  private var delayFailures: [String] {
    var failures: [String] = []
    func add(_ latencies: Latencies, _ what: String) {
      // A delay of the echo also delays the server's replies.
      guard let max = latencies.max, max > Thresholds.delay + (echo.max ?? .zero) else { return }
      let beside = echo.max.map { "; the echo beside it \($0.brief)" } ?? ""
      failures.append(
        "an honest \(what) took \(max.brief) (\(Thresholds.delay.brief) allowed\(beside))")
    }
    add(metrics.pings, "ping")
    add(metrics.logins, "login")
    if let lineCostFailure { failures.append(lineCostFailure) }
    return failures
  }

  /// Set where a line cost more processor time than the attack allows.
  var lineCostFailure: String? {
    guard let steps = attack.thresholds.lineCost, let lineCost else { return nil }
    let allowed = ProcessorSpeed.time(of: steps)
    guard lineCost > allowed else { return nil }
    return "a line cost \(lineCost.brief) of processor time (\(allowed.brief) allowed)"
  }

  private var resourceFailures: [String] {
    var failures: [String] = []
    let thresholds = attack.thresholds
    if memory > Thresholds.peakMemory {
      let allowed = Thresholds.peakMemory.megabytes
      failures.append("the server took \(memory.megabytes) (\(allowed) allowed)")
    }
    if thresholds.givesMemoryBack, quietMemory > Thresholds.quietMemory {
      let allowed = Thresholds.quietMemory.megabytes
      failures.append("the server kept \(quietMemory.megabytes) once quiet (\(allowed) allowed)")
    }
    if heldDescriptors > thresholds.descriptors + Thresholds.spareDescriptors {
      let allowed = thresholds.descriptors
      failures.append("the attacker held \(heldDescriptors) descriptors (\(allowed) allowed)")
    }
    if logBytes > Thresholds.log.atMost(in: seconds) {
      let allowed = "\(Thresholds.log.perSecond / 1_000) kB allowed"
      failures.append("the log grew by \(logPerSecond / 1_000) kB a second (\(allowed))")
    }
    if let matches, matches > Thresholds.matches {
      failures.append("the attacker held \(matches) matches (\(Thresholds.matches) allowed)")
    }
    return failures
  }
}
