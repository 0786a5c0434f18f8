import Shared

/// One connection through a `FaultProxy`, which holds it until it is over.
final class FaultRelay {
  /// Called once, with whether the plan's cut has ended it.
  var onEnd: (_ wasCut: Bool) -> Void = { _ in }
  private let plan: FaultPlan
  private let loop: EventLoop
  private var random: SeededGenerator
  private let near: TCPConnection
  private var far: TCPConnection?
  private var connector: Connector?
  private var down = Way()
  private var up = Way()
  private var isOver = false

  /// What is under way in one direction.
  private struct Way {
    var queue: [UInt8] = []
    var passed = 0
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
        return finish(.reset, isPlanned: false)
      }
      self.far = far
      far.delegate = self
      for direction in FaultPlan.Direction.allCases { move(direction) }
    }
  }

  func passed(_ direction: FaultPlan.Direction) -> Int { self[direction].passed }

  func cut(_ cut: WireClient.Cut) {
    isOver = true
    connector?.cancel()
    for connection in [near, far] {
      switch cut {
      case .reset: connection?.reset()
      case .end: connection?.close()
      }
    }
  }

  private func finish(_ cut: WireClient.Cut, isPlanned: Bool) {
    guard !isOver else { return }
    self.cut(cut)
    onEnd(isPlanned)
  }

  private subscript(direction: FaultPlan.Direction) -> Way {
    get { direction == .down ? down : up }
    set { if direction == .down { down = newValue } else { up = newValue } }
  }

  /// Lets what is there pass, after its delay.
  private func move(_ direction: FaultPlan.Direction) {
    guard !isOver, far != nil, !self[direction].isWaiting else { return }
    if let cut = plan.cut, cut.direction == direction, self[direction].passed >= cut.after {
      return finish(cut.how, isPlanned: true)
    }
    guard !self[direction].queue.isEmpty else {
      if self[direction].hasEnded { finish(.end, isPlanned: false) }
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
    let (queue, passed) = (self[direction].queue, self[direction].passed)
    var count = Int.random(in: 1...min(queue.count, plan.largestPiece), using: &random)
    if let cut = plan.cut, cut.direction == direction { count = min(count, cut.after - passed) }
    let target = direction == .down ? near : far
    target?.send(Array(queue[..<count]).span)
    // Each piece is a packet of its own.
    target?.flush()
    self[direction].queue.removeFirst(count)
    self[direction].passed += count
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
    guard end == .inputEnded else { return finish(.reset, isPlanned: false) }
    let direction: FaultPlan.Direction = connection === near ? .up : .down
    self[direction].hasEnded = true
    move(direction)
  }
}
