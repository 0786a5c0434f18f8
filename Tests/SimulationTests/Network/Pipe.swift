/// One direction of a link.
struct Pipe {
  /// What the sender's system has not taken yet.
  private(set) var unsent: [UInt8] = []
  /// What is under way, or waits to be read.
  private(set) var inFlight: [UInt8] = []
  /// The first so many bytes of `inFlight` have been delivered.
  private var delivered = 0
  /// The sender was told, by way of `unsent`, that not all was taken.
  var wasBlocked = false
  /// The next delivery is on its way.
  var isScheduled = false
  /// Waits for the end of the turn.
  var isDirty = false
  /// The sender sends no more.
  var isEnding = false
  var hasEnded = false

  var bytesInFlight: Int { inFlight.count - delivered }

  /// Whether there is something for the receiver, be it the end.
  var hasSomething: Bool {
    bytesInFlight > 0 || (isEnding && !hasEnded && unsent.isEmpty)
  }

  mutating func queue(_ bytes: [UInt8]) {
    unsent += bytes
  }

  /// The systems take what they have room for.
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

  /// All that is under way is lost.
  mutating func lose() {
    unsent = []
    inFlight = []
    delivered = 0
  }
}
