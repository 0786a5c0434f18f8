import Shared

/// A connection as the network knows it: both directions, the weather, and how it breaks.
final class SimulatedLink {
  typealias Side = SimulatedConnection.Side

  /// How long a closed end tries to send its last bytes, and then waits for the other's end.
  private static let patience: (toSend: Duration, toEnd: Duration) = (.seconds(10), .seconds(1))

  let number: Int
  private let network: SimulatedNetwork
  private let weather: Weather
  private weak var clientEnd: SimulatedConnection?
  private weak var serverEnd: SimulatedConnection?
  /// What each side sends.
  private var pipes = [Pipe(), Pipe()]
  /// By side. A closed end may be gone before its descriptor is closed.
  var onClose: [(() -> Void)?] = [nil, nil]
  private(set) var isCut = false
  /// How many bytes more it delivers, both ways together, and what happens then.
  private var fate: (bytes: Int, cut: () -> Void)?
  /// Called when the server's end is over: closed there, or told that it is.
  var serverDidEnd: () -> Void = {}
  /// The server's end is over.
  private(set) var isServerEnded = false

  init(number: Int, network: SimulatedNetwork) {
    self.number = number
    self.network = network
    weather = Weather(network.chance)
  }

  func open() -> (client: SimulatedConnection, server: SimulatedConnection) {
    let ends = (SimulatedConnection(self, .client), SimulatedConnection(self, .server))
    (clientEnd, serverEnd) = ends
    return ends
  }

  func unsent(from side: Side) -> Int { pipes[side.rawValue].unsent.count }

  func send(_ bytes: [UInt8], from side: Side) {
    guard !pipes[side.rawValue].isEnding else { return }
    pipes[side.rawValue].queue(bytes)
    guard !pipes[side.rawValue].isDirty else { return }
    pipes[side.rawValue].isDirty = true
    network.flushAtTurnEnd(self, side)
  }

  /// Hands the systems what they take.
  func flush(from side: Side) {
    pipes[side.rawValue].isDirty = false
    pipes[side.rawValue].take(window: weather.window)
    pipes[side.rawValue].wasBlocked = !pipes[side.rawValue].unsent.isEmpty
    schedule(from: side)
  }

  func end(from side: Side, isClosing: Bool) {
    if side == .server { noteServerEnd() }
    guard !pipes[side.rawValue].isEnding else { return closeWhatIsOver() }
    pipes[side.rawValue].isEnding = true
    flush(from: side)
    guard isClosing else { return }
    network.after(Self.patience.toSend) { [self] in
      guard !pipes[side.rawValue].hasEnded else { return }
      cut(client: .zero, server: .zero)
      didClose(side)
    }
  }

  func reset(from side: Side) {
    if side == .server { noteServerEnd() }
    cut(client: .zero, server: .zero)
    didClose(side)
  }

  /// The descriptor of one side is closed.
  func didClose(_ side: Side) {
    let action = onClose[side.rawValue]
    onClose[side.rawValue] = nil
    action?()
  }

  /// An end that is closed waits only for the other's.
  private func closeWhatIsOver() {
    guard pipes.allSatisfy(\.hasEnded) else { return }
    for side in [Side.client, .server] where end(at: side)?.isClosed != false { didClose(side) }
  }

  /// Breaks: what is under way is lost, and each end learns of it after its time.
  func cut(client: Duration, server: Duration) {
    guard !isCut else { return }
    isCut = true
    for side in pipes.indices { pipes[side].lose() }
    network.after(client) { [self] in
      guard let clientEnd, !clientEnd.isClosed else { return didClose(.client) }
      clientEnd.fail()
    }
    network.after(server) { [self] in
      guard let serverEnd, !serverEnd.isClosed else { return didClose(.server) }
      noteServerEnd()
      serverEnd.fail()
    }
  }

  /// Breaks so once that many bytes more have come through, both ways together.
  func cut(afterBytes bytes: Int, client: Duration, server: Duration) {
    fate = (bytes, { [weak self] in self?.cut(client: client, server: server) })
  }

  /// Sees to the next delivery, if there is anything to deliver to who reads.
  func schedule(from side: Side, afterOther: Bool = false) {
    let pipe = pipes[side.rawValue]
    guard !isCut, !pipe.isScheduled, pipe.hasSomething, isReading(side.other) else { return }
    pipes[side.rawValue].isScheduled = true
    // What follows at once was under way at the same time.
    var delay = afterOther ? weather.gap : network.chance.duration(weather.latency)
    if !afterOther, !network.isCalm, network.chance.happens(weather.stalls) {
      delay += network.chance.duration(weather.stall)
    }
    network.after(delay) { [self] in deliver(from: side) }
  }

  private func deliver(from side: Side) {
    pipes[side.rawValue].isScheduled = false
    guard !isCut, isReading(side.other) else { return }
    let receiver = end(at: side.other)
    let count = pipes[side.rawValue].bytesInFlight
    if count > 0 {
      let size = network.chance.happens(50) ? count : network.chance.int(1...count)
      let most = min(weather.largestPiece, fate?.bytes ?? Int.max)
      let piece = pipes[side.rawValue].deliver(min(size, most))
      network.note(piece, link: number, side: side)
      fate?.bytes -= piece.count
      receiver?.receive(piece)
      if let fate, fate.bytes <= 0 { return fate.cut() }
      refill(from: side)
    } else if pipes[side.rawValue].hasSomething {
      deliverEnd(from: side)
    }
    schedule(from: side, afterOther: true)
  }

  private func deliverEnd(from side: Side) {
    pipes[side.rawValue].hasEnded = true
    network.note([], link: number, side: side)
    let receiver = end(at: side.other)
    if side == .client, receiver?.isClosed == false { noteServerEnd() }
    receiver?.inputDidEnd()
    closeWhatIsOver()
    network.after(Self.patience.toEnd) { [self] in
      guard !pipes[side.other.rawValue].hasEnded, end(at: side)?.isClosed != false else { return }
      cut(client: .zero, server: .zero)
      didClose(side)
    }
  }

  private func refill(from side: Side) {
    guard !pipes[side.rawValue].unsent.isEmpty else { return }
    pipes[side.rawValue].take(window: weather.window)
    guard pipes[side.rawValue].unsent.isEmpty, pipes[side.rawValue].wasBlocked else { return }
    pipes[side.rawValue].wasBlocked = false
    end(at: side)?.didDrain()
  }

  private func noteServerEnd() {
    guard !isServerEnded else { return }
    isServerEnded = true
    serverDidEnd()
  }

  /// Whoever is gone throws away what comes.
  private func isReading(_ side: Side) -> Bool {
    guard let end = end(at: side), !end.isClosed else { return true }
    return end.isReading
  }

  private func end(at side: Side) -> SimulatedConnection? {
    side == .client ? clientEnd : serverEnd
  }
}
