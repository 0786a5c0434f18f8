/// A wire that outlives the one that carries it. It numbers the lines and keeps the last ones. On a
/// new carrier, each end asks the other for what has not arrived.
final class NumberedWire: Wire {
  /// How many lines are kept. An end that has missed more cannot go on.
  static let maxKept = 16

  weak var receiver: (any WireReceiver)?
  private var carrier: any Wire
  /// The number of the last line that was sent.
  private var sent = 0
  /// The last lines that were sent, the oldest first.
  private var kept: [(number: Int, line: String)] = []
  /// The number of the last line that has arrived.
  private var received = 0

  init(over carrier: any Wire) {
    self.carrier = carrier
    carrier.receiver = self
  }

  func send(_ line: String) {
    sent += 1
    if kept.count == Self.maxKept { kept.removeFirst() }
    kept.append((sent, line))
    carrier.send("\(sent) \(line)")
  }

  /// Goes on over a new carrier, because the one before has broken.
  func goOn(over carrier: any Wire) {
    self.carrier.receiver = nil
    self.carrier = carrier
    carrier.receiver = self
    carrier.send("after \(received)")
  }

  private func repeatLines(after number: Int) {
    for (number, line) in kept.filter({ $0.number > number }) { carrier.send("\(number) \(line)") }
  }
}

extension NumberedWire: WireReceiver {
  func didReceive(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return }
    if parts[0] == "after", let number = Int(parts[1]) { return repeatLines(after: number) }
    // A smaller number has arrived before. With a greater one, a line is missing, which the other
    // end is about to repeat.
    guard Int(parts[0]) == received + 1 else { return }
    received += 1
    receiver?.didReceive(String(parts[1]))
  }
}
