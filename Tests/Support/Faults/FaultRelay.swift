import RIBs
import Shared

/// One connection through a `FaultProxy`, which owns it until it is over.
final class FaultRelay {
  /// Called once, when it is cut as planned.
  var onCut: () -> Void = {}
  /// Called once, when both ends are gone.
  var onEnd: () -> Void = {}
  private let plan: FaultPlan
  private let loop: EventLoop
  private var random: SeededGenerator
  private let near: TCPConnection
  private var far: TCPConnection?
  private var connector: Connector?
  private var down = Stream()
  private var up = Stream()
  private var isSilent = false
  private var isOver = false

  /// The bytes of one direction.
  private struct Stream {
    var queue: [UInt8] = []
    var passed: [UInt8] = []
    var hasEnded = false
    var isWaiting = false
  }

  init(
    _ near: TCPConnection, to server: UInt16, _ plan: FaultPlan, loop: EventLoop, seed: UInt64
  ) {
    self.near = near
    self.plan = plan
    self.loop = loop
    random = SeededGenerator(seed: seed)
    near.delegate = self
    connector = Connector(loop: loop, host: "127.0.0.1", port: server) { [weak self] result in
      guard let self else { return }
      connector = nil
      guard case .success(let connection) = result, let far = connection as? TCPConnection else {
        return finish(.reset)
      }
      self.far = far
      far.delegate = self
      for direction in FaultPlan.Direction.allCases { move(direction) }
    }
  }

  func passed(_ direction: FaultPlan.Direction) -> [UInt8] { self[direction].passed }

  func close(_ cut: WireClient.Cut) {
    isOver = true
    connector?.cancel()
    for connection in [near, far] {
      switch cut {
      case .reset: connection?.reset()
      case .end: connection?.close()
      }
    }
  }

  private func finish(_ cut: WireClient.Cut) {
    guard !isOver else { return }
    close(cut)
    onEnd()
  }

  private func cut(_ kind: FaultPlan.Cut.Kind) {
    onCut()
    switch kind {
    case .reset: finish(.reset)
    case .end: finish(.end)
    case .silence: isSilent = true
    }
  }

  private subscript(direction: FaultPlan.Direction) -> Stream {
    get { direction == .down ? down : up }
    set { if direction == .down { down = newValue } else { up = newValue } }
  }

  /// Passes the bytes that have arrived, after their delay.
  private func move(_ direction: FaultPlan.Direction) {
    guard !isOver, !isSilent, far != nil, !self[direction].isWaiting else { return }
    if let cut = plan.cut, cut.direction == direction, self[direction].passed.count >= cut.after {
      return self.cut(cut.kind)
    }
    guard !self[direction].queue.isEmpty else {
      if self[direction].hasEnded { finish(.end) }
      return
    }
    guard plan.longestDelay > .zero else { return pass(direction) }
    self[direction].isWaiting = true
    loop.schedule(after: delay()) { [weak self] in
      guard let self, !isOver else { return }
      self[direction].isWaiting = false
      pass(direction)
    }
  }

  private func delay() -> Duration {
    let stalls = plan.stallsOneIn > 0 && Int.random(in: 0..<plan.stallsOneIn, using: &random) == 0
    let longest = plan.longestDelay * (stalls ? 10 : 1)
    return .milliseconds(Int.random(in: 0...longest.milliseconds, using: &random))
  }

  private func pass(_ direction: FaultPlan.Direction) {
    guard !isSilent else { return }
    let (queue, passed) = (self[direction].queue, self[direction].passed.count)
    var count = Int.random(in: 1...min(queue.count, plan.largestPiece), using: &random)
    if let cut = plan.cut, cut.direction == direction { count = min(count, cut.after - passed) }
    let target = direction == .down ? near : far
    let piece = Array(queue[..<count])
    target?.send(piece.span)
    // Each piece is a packet of its own.
    target?.flush()
    self[direction].queue.removeFirst(count)
    self[direction].passed += piece
    move(direction)
  }
}

extension FaultRelay: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    let direction: FaultPlan.Direction = connection === near ? .up : .down
    bytes.withUnsafeBufferPointer { self[direction].queue.append(contentsOf: $0) }
    move(direction)
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    if isSilent { return endDidGo(connection) }
    guard end == .inputEnded else { return finish(.reset) }
    let direction: FaultPlan.Direction = connection === near ? .up : .down
    self[direction].hasEnded = true
    move(direction)
  }

  /// The other end does not learn of it, and stays until it ends by itself.
  private func endDidGo(_ connection: any Connection) {
    connection.close()
    if connection === near { up.hasEnded = true } else { down.hasEnded = true }
    if up.hasEnded, down.hasEnded { finish(.end) }
  }
}
