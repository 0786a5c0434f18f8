package import Shared

/// Connections in memory, which deliver in pieces of random size and in random order, all from one
/// seed. Nothing moves but in `run`.
package final class MemoryNetwork {
  private var ends: [MemoryConnection] = []
  private var random: SeededGenerator
  /// Called when nothing moves; answers whether it has set something going.
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

  /// Moves a piece of what one end has sent, of 1 to 65,536 bytes. Answers `false` where nothing can
  /// move.
  package func step() -> Bool {
    ends.removeAll(where: \.isGone)
    guard let end = ends.filter(\.canMove).randomElement(using: &random) else {
      return ends.contains { $0.tellsThatItFellShort() }
    }
    end.move { Int.random(in: 1...min($0, 65_536), using: &random) }
    return true
  }

  /// Moves everything until nothing moves any more and nobody sets anything going.
  package func run() {
    // More steps than any test needs: two ends that answer one another for ever are a failure.
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
  /// There is no time here: a peer that was told the end counts as one that has ended at once.
  package var onClose: (() -> Void)?
  fileprivate weak var peer: MemoryConnection?
  private var queue: [UInt8] = []
  private var state = State.open
  private var wasBlocked = false
  /// What was unsent when the delegate was last told that something is.
  private var toldUnsent = 0
  /// The end of the input has been told to the peer.
  private var hasToldEnd = false
  private var received: [UInt8] = []

  package var unsent: Int { queue.count }

  /// Everything that has come, for an end without a delegate.
  package func takeReceived() -> [UInt8] {
    defer { received = [] }
    return received
  }

  /// Whether this end was closed here.
  package var isClosed: Bool { state != .open }

  /// Whether either end has broken the connection.
  package var isCut: Bool { state == .cut }

  /// Whether the peer has said that it sends no more.
  package var hasPeerEnded: Bool { peer?.hasToldEnd ?? true }

  @discardableResult
  package func send(_ bytes: Span<UInt8>) -> Int {
    guard state == .open else { return unsent }
    bytes.withUnsafeBufferPointer { queue.append(contentsOf: $0) }
    return unsent
  }

  package func flush() {
    wasBlocked = !queue.isEmpty
  }

  package func close() {
    guard state == .open else { return }
    state = .closed
    delegate = nil
  }

  /// The peer fails.
  package func reset() {
    delegate = nil
    cut()
  }

  /// Breaks the connection: both ends fail, and what is under way is lost.
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

  fileprivate var isGone: Bool { state == .cut || (hasToldEnd && peer?.hasToldEnd ?? true) }

  fileprivate var canMove: Bool {
    guard let peer, state != .cut, peer.state == .closed || peer.isReading else { return false }
    return !queue.isEmpty || (state == .closed && !hasToldEnd)
  }

  /// Nothing moves any more: tells the delegate once what is unsent.
  fileprivate func tellsThatItFellShort() -> Bool {
    guard state == .open, let delegate, unsent != toldUnsent, unsent > 0 else { return false }
    toldUnsent = unsent
    wasBlocked = true
    delegate.connectionDidBlock(self)
    return true
  }

  fileprivate func move(size: (Int) -> Int) {
    guard let peer else { return }
    guard !queue.isEmpty else {
      hasToldEnd = true
      peer.delegate?.connectionDidEnd(peer, with: .inputEnded)
      return didClose()
    }
    let piece = Array(queue.prefix(size(queue.count)))
    queue.removeFirst(piece.count)
    if let delegate = peer.delegate {
      delegate.connection(peer, didReceive: piece.span)
    } else if peer.state != .cut {
      // Who has ended the input still reads.
      peer.received += piece
    }
    guard queue.isEmpty, wasBlocked, state == .open else { return }
    wasBlocked = false
    toldUnsent = 0
    delegate?.connectionDidDrain(self)
  }
}
