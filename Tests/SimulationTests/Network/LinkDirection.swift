/// One direction of a link.
struct LinkDirection {
  /// Bytes that the sender's system has not taken yet.
  private(set) var unsent: [UInt8] = []
  /// Bytes that are in flight or wait to be read.
  private(set) var inFlight: [UInt8] = []
  /// How many bytes at the interface of `inFlight` have been delivered.
  private var delivered = 0
  /// The sender has seen in `unsent` that not all bytes were taken.
  var hasBacklog = false
  /// The next delivery is scheduled.
  var isScheduled = false
  /// Output waits for the end of the turn.
  var isDirty = false
  /// The sender has ended its output.
  var isEnding = false
  var hasEnded = false

  var bytesInFlight: Int { inFlight.count - delivered }

  /// Whether bytes or the end of the output wait for delivery.
  var hasSomething: Bool {
    bytesInFlight > 0 || (isEnding && !hasEnded && unsent.isEmpty)
  }

  mutating func queue(_ bytes: [UInt8]) {
    unsent += bytes
  }

  /// Moves bytes from `unsent` to `inFlight`, up to the window.
  mutating func take(window: Int) {
    let room = window - bytesInFlight
    guard room > 0, !unsent.isEmpty else { return }
    inFlight += unsent.prefix(room)
    unsent.removeFirst(min(room, unsent.count))
  }

  mutating func deliver(_ count: Int) -> [UInt8] {
    let piece = Array(inFlight[delivered..<delivered + count])
    delivered += count
    if delivered == inFlight.count || delivered > 65_536 {
      inFlight.removeFirst(delivered)
      delivered = 0
    }
    return piece
  }

  /// Drops all bytes that were not delivered.
  mutating func lose() {
    unsent = []
    inFlight = []
    delivered = 0
  }
}
