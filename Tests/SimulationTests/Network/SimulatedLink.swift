import Shared

/// A connection as the network sees it: both directions, the conditions, and how it breaks.
final class SimulatedLink {
  typealias Side = SimulatedConnection.Side

  /// How long a closed end tries to send its last bytes, and then waits for the peer to end.
  private static let closeTimeout: (toSend: Duration, toEnd: Duration) = (
    .seconds(10), .seconds(1)
  )

  let number: Int
  private let network: SimulatedNetwork
  private let conditions: LinkConditions
  private weak var clientEnd: SimulatedConnection?
  private weak var serverEnd: SimulatedConnection?
  /// By the side that sends.
  private var directions = [LinkDirection(), LinkDirection()]
  /// By side. A closed end may be gone before its descriptor is closed.
  var onClose: [(() -> Void)?] = [nil, nil]
  private(set) var isCut = false
  /// How many more bytes it delivers, in both directions together, before it is cut.
  private var plannedCut: (bytes: Int, cut: () -> Void)?
  /// Called when the server has closed its end, or has learned that it is lost.
  var serverDidEnd: () -> Void = {}
  /// Whether the server's end is over.
  private(set) var isServerEnded = false

  init(number: Int, network: SimulatedNetwork) {
    self.number = number
    self.network = network
    conditions = LinkConditions(network.random)
  }

  func open() -> (client: SimulatedConnection, server: SimulatedConnection) {
    let ends = (SimulatedConnection(self, .client), SimulatedConnection(self, .server))
    (clientEnd, serverEnd) = ends
    return ends
  }

  func unsent(from side: Side) -> Int { directions[side.rawValue].unsent.count }

  func send(_ bytes: [UInt8], from side: Side) {
    guard !directions[side.rawValue].isEnding else { return }
    directions[side.rawValue].queue(bytes)
    guard !directions[side.rawValue].isDirty else { return }
    directions[side.rawValue].isDirty = true
    network.flushAtTurnEnd(self, side)
  }

  /// Moves output into the system's buffers, as far as there is room.
  func flush(from side: Side) {
    directions[side.rawValue].isDirty = false
    directions[side.rawValue].take(window: conditions.window)
    directions[side.rawValue].hasBacklog = !directions[side.rawValue].unsent.isEmpty
    schedule(from: side)
  }

  func end(from side: Side, isClosing: Bool) {
    if side == .server { noteServerEnd() }
    guard !directions[side.rawValue].isEnding else { return closeEndedSides() }
    directions[side.rawValue].isEnding = true
    flush(from: side)
    guard isClosing else { return }
    network.after(Self.closeTimeout.toSend) { [self] in
      guard !directions[side.rawValue].hasEnded else { return }
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

  /// Closes the descriptors of closed ends once both directions have ended.
  private func closeEndedSides() {
    guard directions.allSatisfy(\.hasEnded) else { return }
    for side in [Side.client, .server] where end(at: side)?.isClosed != false { didClose(side) }
  }

  /// Breaks the link. Bytes in flight are lost; each end learns of the cut after its delay.
  func cut(client: Duration, server: Duration) {
    guard !isCut else { return }
    isCut = true
    for side in directions.indices { directions[side].lose() }
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

  /// Breaks the link in the same way after that many more bytes, both directions together.
  func cut(afterBytes bytes: Int, client: Duration, server: Duration) {
    plannedCut = (bytes, { [weak self] in self?.cut(client: client, server: server) })
  }

  /// Schedules the next delivery if there is something to deliver and the receiver reads.
  func schedule(from side: Side, afterOther: Bool = false) {
    let direction = directions[side.rawValue]
    guard !isCut, !direction.isScheduled, direction.hasSomething, isReading(side.other) else {
      return
    }
    directions[side.rawValue].isScheduled = true
    // The next piece was in flight at the same time, so it pays no latency of its own.
    var delay = afterOther ? conditions.gap : network.random.duration(conditions.latency)
    if !afterOther, !network.isCalm, network.random.happens(percent: conditions.stalls) {
      delay += network.random.duration(conditions.stall)
    }
    network.after(delay) { [self] in deliver(from: side) }
  }

  private func deliver(from side: Side) {
    directions[side.rawValue].isScheduled = false
    guard !isCut, isReading(side.other) else { return }
    let receiver = end(at: side.other)
    let count = directions[side.rawValue].bytesInFlight
    if count > 0 {
      let size = network.random.happens(percent: 50) ? count : network.random.int(1...count)
      let most = min(conditions.largestPiece, plannedCut?.bytes ?? Int.max)
      let piece = directions[side.rawValue].deliver(min(size, most))
      network.note(piece, link: number, side: side)
      plannedCut?.bytes -= piece.count
      receiver?.receive(piece)
      if let plannedCut, plannedCut.bytes <= 0 { return plannedCut.cut() }
      refill(from: side)
    } else if directions[side.rawValue].hasSomething {
      deliverEnd(from: side)
    }
    schedule(from: side, afterOther: true)
  }

  private func deliverEnd(from side: Side) {
    directions[side.rawValue].hasEnded = true
    network.note([], link: number, side: side)
    let receiver = end(at: side.other)
    if side == .client, receiver?.isClosed == false { noteServerEnd() }
    receiver?.inputDidEnd()
    closeEndedSides()
    network.after(Self.closeTimeout.toEnd) { [self] in
      guard !directions[side.other.rawValue].hasEnded, end(at: side)?.isClosed != false else {
        return
      }
      cut(client: .zero, server: .zero)
      didClose(side)
    }
  }

  private func refill(from side: Side) {
    guard !directions[side.rawValue].unsent.isEmpty else { return }
    directions[side.rawValue].take(window: conditions.window)
    guard directions[side.rawValue].unsent.isEmpty, directions[side.rawValue].hasBacklog else {
      return
    }
    directions[side.rawValue].hasBacklog = false
    end(at: side)?.didDrain()
  }

  private func noteServerEnd() {
    guard !isServerEnded else { return }
    isServerEnded = true
    serverDidEnd()
  }

  /// A closed end still takes bytes, and drops them.
  private func isReading(_ side: Side) -> Bool {
    guard let end = end(at: side), !end.isClosed else { return true }
    return end.isReading
  }

  private func end(at side: Side) -> SimulatedConnection? {
    side == .client ? clientEnd : serverEnd
  }
}
