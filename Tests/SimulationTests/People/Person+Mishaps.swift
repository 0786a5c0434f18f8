import Shared

/// What befalls its connection, and what it does that nobody should.
extension Person {
  func sufferMishap() {
    guard let wire else { return }
    let delay = chance.duration(.zero...Duration.seconds(20))
    switch chance.int(1...13) {
    case 1, 2: wire.link.cut(client: .zero, server: .zero)
    case 3: wire.link.cut(client: .zero, server: delay)
    case 4: wire.link.cut(client: delay, server: .zero)
    case 5: wire.link.cut(client: delay, server: chance.duration(.zero...Duration.seconds(20)))
    case 6: wire.endInput()
    case 7, 8: stopReading(for: delay)
    case 9, 10: stuff()
    case 11: flood()
    case 12: shout()
    default: takeOver()
    }
    note("mishap", wire.link)
  }

  /// Takes its own session over on another connection.
  func takeOver() {
    guard let wire, token != nil, oldWire == nil, isLoggedIn, !wire.hasEndedInput else { return }
    note("takes over", wire.link)
    oldWire = wire
    noteLoss(of: wire)
    connect()
  }

  private func stopReading(for delay: Duration) {
    guard let wire else { return }
    wire.isReading = false
    wire.earned.insert(.tooSlow)
    world.network.after(delay) { [weak wire] in wire?.isReading = true }
  }

  /// Asks for more than it reads.
  private func stuff() {
    stopReading(for: chance.duration(.zero...Duration.seconds(20)))
    for _ in 0..<chance.int(40...80) { send(.help(nil)) }
    wire?.earned.insert(.flood)
  }

  private func flood() {
    for _ in 0..<chance.int(20...400) { send(.ping) }
    wire?.earned.insert(.flood)
  }

  /// Says more than anybody wants to hear.
  func chatter() {
    for _ in 0..<chance.int(15...30) { send(.say("\(name) says \(world.nextNumber())")) }
    wire?.earned.insert(.flood)
  }

  /// Says what no server can read.
  private func shout() {
    guard let wire else { return }
    if chance.happens(50) {
      wire.earned.insert(.lineTooLong)
      wire.send(line: String(repeating: "x", count: 5_000))
    } else {
      wire.send(line: "{\"type\":\"place\",\"row\":")
      wire.send(line: "\u{1}\"' place")
    }
  }
}
