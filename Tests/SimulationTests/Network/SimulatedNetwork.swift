import Shared

/// The links between clients and the server. Deliveries run in the order of their time; those at
/// the same time run in the order in which they were scheduled. Never in the order of a dictionary.
final class SimulatedNetwork {
  let random: SeededRandom
  private let clock: () -> Duration
  private let events = TimerQueue()
  private var dirty: [(SimulatedLink, SimulatedLink.Side)] = []
  private var links = 0
  /// Whether deliveries no longer stall.
  var isCalm = false
  /// FNV-1a, 64 bits, of every delivery: its time, its link and its bytes.
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var bytesDelivered = 0

  init(random: SeededRandom, clock: @escaping () -> Duration) {
    self.random = random
    self.clock = clock
  }

  /// The time of the next delivery.
  var next: Duration? { events.next }

  func after(_ delay: Duration, _ action: @escaping () -> Void) {
    _ = events.add(at: clock() + delay, action)
  }

  func makeLink() -> SimulatedLink {
    links += 1
    return SimulatedLink(number: links, network: self)
  }

  func run() {
    events.run(at: clock())
  }

  func flushAtTurnEnd(_ link: SimulatedLink, _ side: SimulatedLink.Side) {
    dirty.append((link, side))
  }

  /// Flushes all output, as the real loop does at the end of each turn.
  func endTurn() {
    let ends = dirty
    dirty = []
    for (link, side) in ends { link.flush(from: side) }
  }

  func note(_ bytes: [UInt8], link: Int, side: SimulatedLink.Side) {
    bytesDelivered += bytes.count
    note(UInt64(truncatingIfNeeded: Int(clock() / .microseconds(1))))
    note(UInt64(link) * 2 + (side == .client ? 0 : 1))
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  private func note(_ number: UInt64) {
    hash = (hash ^ number) &* 0x0000_0100_0000_01B3
  }
}
