/// A TCP connection. The loop owns it until it is closed or has failed.
package final class TCPConnection {
  /// After a read that fills the buffer, this many more reads take everything that the system can
  /// hold for an accepted connection; see `TCPListener.receiveBuffer`.
  private static let readsForRest: UInt16 = 8
  /// The number of bytes that may wait for the gate, once, before the delegate is told.
  private static let maxQuietlyHeld = 4_096
  /// How long `close` tries to send queued bytes.
  package static let flushTimeout = Duration.seconds(10)
  /// How long `close` waits for the peer's end after that.
  package static let lingerTimeout = Duration.seconds(1)

  package var delegate: (any ConnectionDelegate)? {
    get { strongDelegate ?? weakDelegate }
    set {
      strongDelegate = nil
      weakDelegate = newValue
    }
  }
  private var strongDelegate: (any ConnectionDelegate)?
  private weak var weakDelegate: (any ConnectionDelegate)?
  package var peerAddress: SocketAddress
  package var passesGate = false
  package var onClose: (() -> Void)?
  private unowned let loop: EventLoop
  private let flushQueue: FlushQueue
  let socket: Socket
  private var state = TCPConnectionState.open
  private var out = OutBuffer()
  private var held = HeldOutput()
  // nil while every turn would report an event that cannot be handled now.
  private var watch: Watch?
  private var interest: Interest = .readable
  private var limit: LoopTimer?
  private var isInFlushQueue = false
  // The system took only some of the bytes. Nothing is sent until the socket is writable.
  private var isFull = false
  private var wasBlocked = false
  package var isReading = true {
    didSet {
      guard isReading != oldValue else { return }
      joinFlushQueue()
      if isReading, let watch { loop.resumeInput(of: watch) }
    }
  }

  /// Takes over a connected socket; `isTCP` is false for a unix-domain socket.
  ///
  /// - Throws: if the loop cannot watch the socket, which is closed then.
  init(
    loop: EventLoop, socket: Socket, peer: SocketAddress, isTCP: Bool = true
  ) throws(SystemError) {
    self.loop = loop
    flushQueue = loop.flushQueue
    self.socket = socket
    peerAddress = peer
    do throws(SystemError) {
      if isTCP { try socket.disableNagle() }
      watch = try loop.watch(socket.descriptor, for: interest, handler: self)
    } catch {
      socket.close()
      throw error
    }
    loop.connectionDidOpen()
  }

  @inline(__always)
  private func joinFlushQueue() {
    guard !isInFlushQueue, !state.isClosed else { return }
    isInFlushQueue = true
    flushQueue.add(self)
  }

  private var wantsInput: Bool { state.wantsInput(whileReading: isReading) }
}

extension TCPConnection: Connection {
  package var unsent: Int { out.count }

  package func retainDelegate(_ delegate: any ConnectionDelegate) {
    weakDelegate = nil
    strongDelegate = delegate
  }

  @discardableResult
  package func send(_ bytes: Span<UInt8>) -> Int {
    guard state.isUp, !bytes.isEmpty else { return out.count }
    out.append(bytes, from: &flushQueue.buffers)
    joinFlushQueue()
    return out.count
  }

  package func flush() {
    guard state.isUp else { return }
    do throws(SystemError) {
      try sendQueued()
    } catch {
      // It fails again at the end of the turn, when the delegate may be called.
      joinFlushQueue()
    }
  }

  package func dropHeldOutput() {
    passesGate = true
    guard state.isUp, flushQueue.isHeld else { return }
    out.keep(first: held.released(of: 0, by: flushQueue.gate), into: &flushQueue.buffers)
    held.removeAll()
  }

  package func close() {
    switch state {
    case .open: state = .flushing(inputEnded: false)
    case .inputEnded: state = .flushing(inputEnded: true)
    case .flushing, .lingering, .closed: return
    }
    delegate = nil
    joinFlushQueue()
  }

  package func reset() {
    guard !state.isClosed else { return }
    // If the system refuses, the peer sees a usual end of input.
    try? socket.resetWhenClosed()
    finish()
  }
}

extension TCPConnection: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    if readiness.contains(.writable) {
      isFull = false
      joinFlushQueue()
    }
    if wantsInput {
      guard !readiness.isDisjoint(with: [.readable, .hangUp]) else { return }
      do throws(SystemError) {
        if try !receive() { inputDidEnd() }
      } catch {
        if !error.isWouldBlock { fail(error) }
      }
    } else if readiness.contains(.hangUp) {
      hangUp()
    }
  }

  package func loopDidEnd() {
    state = .closed
    delegate = nil
    onClose = nil
    socket.close()
  }

  /// Makes one `recv` call.
  ///
  /// - Returns: false at the end of the peer's input.
  @inline(__always)
  private func receive() throws(SystemError) -> Bool {
    let buffer = flushQueue.receiveBuffer
    let count = try socket.receive(into: buffer)
    guard count > 0 else { return false }
    if count == buffer.count { loop.leaveInput(forCalls: Self.readsForRest) }
    if case .open = state {
      let bytes = UnsafeBufferPointer(rebasing: buffer[..<count])
      delegate?.connection(self, didReceive: bytes.span)
    }
    return true
  }

  @inline(never)
  private func inputDidEnd() {
    switch state {
    case .open:
      state = .inputEnded
      joinFlushQueue()
      delegate?.connectionDidEnd(self, with: .inputEnded)
    case .flushing:
      state = .flushing(inputEnded: true)
      joinFlushQueue()
    case .lingering: finish()
    case .inputEnded, .closed: break
    }
  }

  /// The connection hung up while it is not being read.
  private func hangUp() {
    do throws(SystemError) {
      if let error = try socket.takeError(of: "recv") { return fail(error) }
    } catch {
      return fail(error)
    }
    // No failure: some systems report the end of input as a hang-up. They report it in every turn,
    // so stop watching until there is something to do.
    unwatch()
  }

  private func unwatch() {
    if let watch { loop.cancel(watch) }
    watch = nil
    interest = []
  }

  @inline(never)
  private func fail(_ error: SystemError) {
    let delegate = state.isUp ? delegate : nil
    let onClose = takeOnClose()
    finish()
    delegate?.connectionDidEnd(self, with: .failed(error))
    onClose?()
  }

  private func finish() {
    guard !state.isClosed else { return }
    let onClose = takeOnClose()
    state = .closed
    delegate = nil
    limit?.cancel()
    limit = nil
    out.empty(into: &flushQueue.buffers)
    unwatch()
    socket.close()
    loop.connectionDidClose()
    onClose?()
  }

  private func takeOnClose() -> (() -> Void)? {
    defer { onClose = nil }
    return onClose
  }
}

extension TCPConnection {
  /// Called once at the end of a turn in which bytes were queued. For bytes that were queued
  /// outside of a turn, it is called at the beginning of the next.
  func flushAtTurnEnd() {
    isInFlushQueue = false
    guard !state.isClosed else { return }
    do throws(SystemError) {
      try sendQueued()
      if !isSettled { try settle() }
    } catch {
      takeLastInput()
      fail(error)
    }
  }

  @inline(never)
  private func settle() throws(SystemError) {
    didSend()
    if !isInFlushQueue { try watchForNeeds() }
  }

  /// Nearly always true: everything was sent, and the socket is watched for input.
  private var isSettled: Bool {
    guard case .open = state else { return false }
    return isReading && interest == .readable && !wasBlocked
  }

  @inline(__always)
  private func sendQueued() throws(SystemError) {
    guard !out.isEmpty, !isFull else { return }
    if flushQueue.isHeld, !passesGate { return try sendThroughGate() }
    let taken = try countUnlessBlocked { () throws(SystemError) in try socket.send(out.bytes) }
    out.remove(first: taken, into: &flushQueue.buffers)
    guard !out.isEmpty else { return }
    isFull = true
    wasBlocked = true
  }

  /// Sends the bytes that the gate lets through, and waits for the gate with the others.
  @inline(never)
  private func sendThroughGate() throws(SystemError) {
    let gate = flushQueue.gate
    if flushQueue.needsCommit { gate.commit() }
    guard flushQueue.isHeld else {
      held.removeAll()
      return try sendQueued()
    }
    let released = held.released(of: out.count, by: gate)
    if released > 0 {
      let bytes = UnsafeRawBufferPointer(rebasing: out.bytes[..<released])
      let taken = try countUnlessBlocked { () throws(SystemError) in try socket.send(bytes) }
      held.remove(taken)
      out.remove(first: taken, into: &flushQueue.buffers)
      isFull = taken < released
    }
    guard !out.isEmpty else { return }
    // The delegate need not know of a little output that leaves when the gate opens next.
    if isFull || held.isWaiting || out.count > Self.maxQuietlyHeld { wasBlocked = true }
    // Bytes that came later wait for the last commit.
    _ = held.released(of: out.count, by: gate)
    waitForGate()
  }

  private func waitForGate() {
    guard !held.isWaiting else { return }
    held.isWaiting = true
    flushQueue.gate.add(self)
  }

  /// More output may leave.
  func gateDidAdvance() {
    held.isWaiting = false
    if !flushQueue.isHeld { held.removeAll() }
    // Nothing can leave before the socket is writable, but what may leave then has to be known.
    if isFull, flushQueue.isHeld { waitForGate() }
    if !out.isEmpty { joinFlushQueue() }
  }

  private func didSend() {
    switch state {
    case .open, .inputEnded:
      guard out.isEmpty else {
        wasBlocked = true
        delegate?.connectionDidBlock(self)
        return
      }
      guard wasBlocked else { return }
      wasBlocked = false
      delegate?.connectionDidDrain(self)
    case .flushing(let inputEnded):
      guard out.isEmpty else { return finish(after: Self.flushTimeout) }
      guard !inputEnded else { return finish() }
      socket.shutDownWriting()
      limit?.cancel()
      limit = nil
      state = .lingering
      finish(after: Self.lingerTimeout)
    case .lingering, .closed: break
    }
  }

  /// Closes the socket when the time has passed. The timer holds the connection, because after a
  /// hang-up the loop no longer does.
  private func finish(after time: Duration) {
    guard limit == nil else { return }
    limit = loop.schedule(after: time) { [self] in finish() }
  }

  private func watchForNeeds() throws(SystemError) {
    var needs: Interest = []
    if wantsInput { needs.insert(.readable) }
    if isFull { needs.insert(.writable) }
    guard needs != interest else { return }
    interest = needs
    if let watch {
      try loop.modify(watch, to: needs)
    } else {
      watch = try loop.watch(socket.descriptor, for: needs, handler: self)
    }
  }

  /// Reads the input that the peer sent before it closed the connection while we wrote.
  @inline(never)
  private func takeLastInput() {
    for _ in 0..<16 where wantsInput {
      guard let hasMore = try? receive(), hasMore else { return }
    }
  }
}
