import Foundation
import TestSupport
@testable import Server
@testable import Shared

/// How a player reaches a node, and comes back.
extension ClusterPlayer {
  func connect(after delay: Duration, to address: String? = nil) {
    world.time.after(delay) { [unowned self] in
      guard wire == nil else { return }
      let node = world.nodes.first { $0.address == address } ?? world.anyNode()
      guard let wire = connect(to: node) else { return }
      use(wire, node, since: world.now)
      // A second one may take the session back on its way, which is another move.
      guard token != nil, !isIdle, random.happens(percent: 20) else { return }
      let other = world.anyNode()
      guard let wire = connect(to: other) else { return }
      rival = Rival(wire: wire, node: other, time: world.now)
    }
  }

  private func use(_ wire: SimulatedWire, _ node: SimulatedNode, since time: Duration) {
    self.wire = wire
    self.node = node
    framer = LineFramer(limit: ProtocolLimits.maxEventLine)
    connectTime = time
    lastID = 0
    pending = []
  }

  func connect(to node: SimulatedNode) -> SimulatedWire? {
    guard
      let wire = try? SimulatedWire(
        world.time, latency: .milliseconds(1)...Duration.milliseconds(40))
    else {
      world.fail("there are no more sockets")
      return nil
    }
    wire.onReceive = { [weak self, weak wire] in
      guard let self else { return }
      if wire === self.wire { receive($0) } else if wire === rival?.wire { takeFromRival($0) }
    }
    wire.onEnd = { [weak self, weak wire] in
      if let wire { self?.didEnd(wire) }
    }
    world.note("\(name) connects to \(node.name)")
    world.time.after(.milliseconds(1)...Duration.milliseconds(40)) { [weak self] in
      guard let self, wire === self.wire || wire === rival?.wire else { return }
      guard let process = node.process, process.isListening else {
        world.note("\(name): \(node.name) refuses")
        return didEnd(wire)
      }
      process.accept(wire, number: number)
    }
    return wire
  }

  private func didEnd(_ wire: SimulatedWire) {
    if wire === self.wire {
      world.note("\(name): end")
      lose(comingBackAfter: random.duration(.milliseconds(10)...Duration.seconds(1)))
    } else if wire === rival?.wire {
      endRival()
    }
  }

  /// Forgets the connection, and comes back after a time, unless there is another connection.
  func lose(comingBackAfter delay: Duration, at address: String? = nil) {
    wire?.close()
    wire = nil
    isIn = false
    pending = []
    guard let rival else { return connect(after: delay, to: address) }
    world.note("\(name) goes on at \(rival.node.name)")
    self.rival = nil
    use(rival.wire, rival.node, since: rival.time)
    guard rival.hasSent, let token else { return }
    lastID = 1
    pending = [
      Pending(id: 1, command: .resume(token: token, seq: nil), time: rival.time, lastSeq: 0)
    ]
  }

  // MARK: The second connection

  func endRival() {
    rival?.wire.close()
    if rival?.hasSent == true { rivalToken = token }
    rival = nil
  }

  /// The second connection only waits for its greeting and for its answer. If that is good, the
  /// player goes on there.
  private func takeFromRival(_ bytes: [UInt8]) {
    guard let wire = rival?.wire, let token else { return endRival() }
    if rival?.hasSent == false {
      rival?.hasSent = true
      var line: [UInt8] = []
      CommandEncoder.append(.resume(token: token, seq: nil), id: .integer(1), to: &line)
      world.note("\(name) >> \(String(decoding: line.dropLast(), as: UTF8.self))")
      world.count("tokens sent twice")
      // Behind the greeting.
      return wire.send(line)
    }
    guard bytes.starts(with: Array(#"{"type":"didLogin""#.utf8)) else {
      world.note("\(name) << \(String(decoding: bytes, as: UTF8.self))")
      return endRival()
    }
    lose(comingBackAfter: .zero)
    receive(bytes)
  }

  private func receive(_ bytes: [UInt8]) {
    var offset = 0
    let chunk = bytes.span
    let current = wire
    while current === wire {
      switch framer.next(in: chunk, from: &offset) {
      case .line(let range): handle(chunk.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return world.fail("\(name) got a line that is too long")
      }
    }
  }

  func send(_ command: Command) {
    lastID += 1
    let last = tracker.map { world.told.lastSeq(of: $0.match) } ?? 0
    pending.append(Pending(id: lastID, command: command, time: world.now, lastSeq: last))
    var line: [UInt8] = []
    CommandEncoder.append(command, id: .integer(lastID), to: &line)
    world.note("\(name) > \(String(decoding: line.dropLast(), as: UTF8.self))")
    wire?.send(line)
  }
}
