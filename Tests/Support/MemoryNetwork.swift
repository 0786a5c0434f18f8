package import Shared

/// Connections in memory that deliver pieces of random size in random order, all from one seed.
/// They deliver only in `step` and `run`.
package final class MemoryNetwork {
  private var ends: [MemoryConnection] = []
  private var random: SeededGenerator
  /// Called when nothing moves. Returns whether it has caused something to move.
  package var whenAtRest: () -> Bool = { false }

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Two ends of one connection.
  package func connect() -> (near: MemoryConnection, far: MemoryConnection) {
    let (near, far) = (MemoryConnection(), MemoryConnection())
    near.peer = far
    far.peer = near
    ends += [near, far]
    return (near, far)
  }

  /// Delivers a piece of 1 to 65,536 bytes from one end. Returns `false` if nothing can move.
  package func step() -> Bool {
    ends.removeAll(where: \.isGone)
    guard let end = ends.filter(\.canMove).randomElement(using: &random) else {
      return ends.contains { $0.reportBacklog() }
    }
    end.move { Int.random(in: 1...min($0, 65_536), using: &random) }
    return true
  }

  /// Delivers until nothing moves any more.
  package func run() {
    // More steps than any test needs: two ends that reply to each other without end are a failure.
    for _ in 0..<10_000_000 where !step() && !whenAtRest() { return }
    preconditionFailure("The connections in memory do not come to rest.")
  }
}

/// One end of a connection in memory.
package final class MemoryConnection: Connection {
  private enum State {
    case open, closed, cut
  }

  package weak var delegate: (any ConnectionDelegate)?
  package var isReading = true
  package var peerAddress = SocketAddress(.loopback, port: 1)
  /// No time passes here: a peer that learns of the end counts as ended at once.
  package var onClose: (() -> Void)?
  fileprivate weak var peer: MemoryConnection?
  private var queue: [UInt8] = []
  private var state = State.open
  private var hasBacklog = false
  /// The value of `unsent` when the delegate last learned of a backlog.
  private var reportedUnsent = 0
  /// The peer has learned of the end of its input.
  private var hasDeliveredEnd = false
  private var received: [UInt8] = []

  package var unsent: Int { queue.count }

  /// Returns everything that has arrived at an end without a delegate.
  package func takeReceived() -> [UInt8] {
    defer { received = [] }
    return received
  }

  /// Whether this end was closed on this side.
  package var isClosed: Bool { state != .open }

  /// Whether either end has broken the connection.
  package var isCut: Bool { state == .cut }

  /// Whether the peer has ended its output.
  package var hasPeerEnded: Bool { peer?.hasDeliveredEnd ?? true }

  @discardableResult
  package func send(_ bytes: Span<UInt8>) -> Int {
    guard state == .open else { return unsent }
    bytes.withUnsafeBufferPointer { queue.append(contentsOf: $0) }
    return unsent
  }

  package func flush() {
    hasBacklog = !queue.isEmpty
  }

  package func close() {
    guard state == .open else { return }
    state = .closed
    delegate = nil
  }

  /// Breaks the connection; only the peer's delegate learns of it.
  package func reset() {
    delegate = nil
    cut()
  }

  /// Breaks the connection: both ends fail, and bytes in flight are lost.
  package func cut() {
    for end in [self, peer].compactMap({ $0 }) where end.state != .cut {
      let delegate = end.delegate
      let wasOpen = end.state == .open
      end.state = .cut
      end.queue = []
      end.delegate = nil
      if wasOpen {
        delegate?.connectionDidEnd(
          end, with: .failed(SystemError(call: "recv", code: 104)))
      }
      end.didClose()
    }
  }

  private func didClose() {
    let onClose = onClose
    self.onClose = nil
    onClose?()
  }

  fileprivate var isGone: Bool {
    state == .cut || (hasDeliveredEnd && peer?.hasDeliveredEnd ?? true)
  }

  fileprivate var canMove: Bool {
    guard let peer, state != .cut, peer.state == .closed || peer.isReading else { return false }
    return !queue.isEmpty || (state == .closed && !hasDeliveredEnd)
  }

  /// Called when nothing moves any more. Reports a backlog to the delegate, once.
  fileprivate func reportBacklog() -> Bool {
    guard state == .open, let delegate, unsent != reportedUnsent, unsent > 0 else { return false }
    reportedUnsent = unsent
    hasBacklog = true
    delegate.connectionDidBlock(self)
    return true
  }

  fileprivate func move(size: (Int) -> Int) {
    guard let peer else { return }
    guard !queue.isEmpty else {
      hasDeliveredEnd = true
      peer.delegate?.connectionDidEnd(peer, with: .inputEnded)
      return didClose()
    }
    let piece = Array(queue.prefix(size(queue.count)))
    queue.removeFirst(piece.count)
    if let delegate = peer.delegate {
      delegate.connection(peer, didReceive: piece.span)
    } else if peer.state != .cut {
      // An end that has closed its output still reads.
      peer.received += piece
    }
    guard queue.isEmpty, hasBacklog, state == .open else { return }
    hasBacklog = false
    reportedUnsent = 0
    delegate?.connectionDidDrain(self)
  }
}
