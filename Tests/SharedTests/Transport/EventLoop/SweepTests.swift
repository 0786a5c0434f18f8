#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

/// Input that arrived before a timer was due is taken before the timer runs. The clock is manual:
/// time passes while the loop does not turn, as if the process were stopped.
@Suite struct SweepTests {
  @Test(arguments: PollerKind.allCases)
  func `new connections are accepted and read first, however many wait`(kind: PollerKind) throws {
    let stopped = try ManualLoop(kind)
    let recorder = ConnectionRecorder()
    var accepted = 0
    let listener = try TCPListener(loop: stopped.loop, address: .loopback()) {
      accepted += 1
      $0.delegate = recorder
    }
    var found: (accepted: Int, read: Int)?
    stopped.loop.schedule(after: .seconds(1)) { found = (accepted, recorder.text.utf8.count) }
    let peers = try (0..<100).map { _ in
      let peer = try Peer(to: listener.address)
      try peer.send("x")
      return peer
    }
    try stopped.goOn(after: .seconds(3), peers: peers)
    #expect(found?.accepted == 100)
    #expect(found?.read == 100)
    for peer in peers { peer.socket.close() }
    listener.close()
  }

  #if os(Linux)
    @Test func `all descriptors are read first, even if one wait finds only some`() throws {
      let stopped = try ManualLoop(poller: EpollPoller(maxEvents: 8))
      let group = try ConnectionGroup(of: 100, on: stopped.loop)
      var found: Int?
      stopped.loop.schedule(after: .seconds(1)) { found = group.heard }
      for peer in group.peers { try peer.send("x") }
      try stopped.goOn(after: .seconds(3), peers: group.peers)
      #expect(found == 100)
      group.leave()
    }

    @Test func `the input of an interrupted wait is taken first`() throws {
      let poller = InterruptedPoller()
      let stopped = try ManualLoop(poller: poller)
      let group = try ConnectionGroup(of: 10, on: stopped.loop)
      var found: Int?
      stopped.loop.schedule(after: .seconds(1)) { found = group.heard }
      for peer in group.peers { try peer.send("x") }
      poller.isInterrupted = true
      try stopped.goOn(after: .seconds(3), peers: group.peers)
      #expect(found == 10)
      group.leave()
    }
  #endif

  /// The connection handles its input in steps, like a server that lets others have their turn, or
  /// all at once.
  @Test(arguments: PollerKind.allCases, [Int.max, 2_000])
  func `all bytes of a socket are taken first, in several reads`(kind: PollerKind, step: Int) throws
  {
    let stopped = try ManualLoop(kind, forgivesStalls: true)
    let group = try ConnectionGroup(of: 1, on: stopped.loop)
    let (connection, peer) = (group.connections[0], group.peers[0])
    var handled = 0
    func handle(_ count: Int) {
      handled += min(step, count)
      connection.isReading = count <= step
      guard count > step else { return }
      stopped.loop.schedule(after: .zero) { handle(count - step) }
    }
    group.recorders[0].onReceive = { _, text in handle(text.utf8.count) }
    // In steps this is not finished when the process is stopped.
    try peer.send(String(repeating: "x", count: 10_000))
    try stopped.loop.turn { handled > 0 }
    let chunk = [UInt8](repeating: 0x61, count: 4_096)
    while (try? chunk.withUnsafeBytes { try peer.socket.send($0) }) != nil {}
    try spin { connection.socket.unread > 65_536 }
    let held = connection.socket.unread
    var found: Int?
    stopped.loop.whenStalled { _ in found = found ?? handled }
    try stopped.goOn(after: .seconds(3))
    #expect(try #require(found) >= 10_000 + held)
    group.leave()
  }

  @Test(arguments: PollerKind.allCases)
  func `endless input does not block a timer`(kind: PollerKind) throws {
    let stopped = try ManualLoop(kind)
    let group = try ConnectionGroup(of: 2, on: stopped.loop)
    // Each read is followed by more input, on this connection and in the timers.
    let chunk = [UInt8](repeating: 0x61, count: 65_536)
    for (recorder, peer) in zip(group.recorders, group.peers) {
      recorder.onReceive = { connection, _ in
        _ = try? chunk.withUnsafeBytes { try peer.socket.send($0) }
        connection.isReading = false
        stopped.loop.schedule(after: .zero) { connection.isReading = true }
      }
      try peer.send("x")
    }
    var hasRun = false
    stopped.loop.schedule(after: .seconds(1)) { hasRun = true }
    try stopped.goOn(after: .seconds(3), peers: group.peers)
    #expect(hasRun)
    #expect(group.heard < 100 * 65_536)
    group.leave()
  }

  @Test(arguments: PollerKind.allCases)
  func `endless new connections do not block a timer`(kind: PollerKind) throws {
    let stopped = try ManualLoop(kind)
    var address: SocketAddress?
    var peers: [Peer] = []
    let listener = try TCPListener(loop: stopped.loop, address: .loopback(), backlog: 16) { _ in
      guard peers.count < 300, let address, let peer = try? Peer(to: address) else { return }
      peers.append(peer)
    }
    address = listener.address
    var found: Int?
    stopped.loop.schedule(after: .seconds(1)) { found = peers.count }
    peers.append(try Peer(to: listener.address))
    try stopped.goOn(after: .seconds(3))
    #expect(try #require(found) < 300)
    for peer in peers { peer.socket.close() }
    listener.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `timers that schedule one another at once do not block another`(kind: PollerKind) throws {
    let stopped = try ManualLoop(kind)
    var isOver = false
    func again() {
      if !isOver { stopped.loop.schedule(after: .zero) { again() } }
    }
    again()
    stopped.loop.schedule(after: .seconds(1)) { isOver = true }
    try stopped.goOn(after: .seconds(3))
    #expect(isOver)
  }
}

@Suite struct StallTests {
  @Test(arguments: PollerKind.allCases)
  func `the time of a stall does not count, and its input is handled before it is over`(
    kind: PollerKind
  ) throws {
    let stopped = try ManualLoop(kind, forgivesStalls: true)
    let loop = stopped.loop
    let group = try ConnectionGroup(of: 1, on: loop)
    var events: [String] = []
    group.recorders[0].onReceive = { _, text in
      events.append("\(text), late by \(loop.lateness), at \(loop.now)")
    }
    loop.whenStalled { events.append("stalled for \($0)") }
    loop.schedule(after: .milliseconds(500)) { events.append("due") }
    loop.schedule(after: .seconds(1)) { events.append("not due yet") }
    try group.peers[0].send("x")
    let now = loop.now
    stopped.pass(.seconds(3))
    try loop.turn(wait: nil)
    #expect(
      events == [
        "x, late by 2.4 seconds, at \(now + .milliseconds(600))", "stalled for 2.4 seconds", "due",
      ])
    #expect(loop.lateness == .zero)
    try group.peers[0].send("y")
    stopped.pass(.milliseconds(400))
    try loop.turn(wait: nil)
    #expect(
      events.suffix(2) == ["y, late by 0.0 seconds, at \(now + .seconds(1))", "not due yet"])
    group.leave()
  }

  @Test(arguments: [true, false])
  func `after events a forgiving loop waits for up to a second, then without end`(
    forgivesStalls: Bool
  ) throws {
    let poller = InterruptedPoller()
    let stopped = try ManualLoop(poller: poller, forgivesStalls: forgivesStalls)
    let group = try ConnectionGroup(of: 1, on: stopped.loop)
    let loop = stopped.loop
    group.recorders[0].onReceive = { _, _ in
      poller.waits = []
      poller.isInterrupted = true
    }
    try group.peers[0].send("x")
    try loop.turn { group.heard == 1 }
    // As `run` does it.
    for _ in 0..<3 {
      stopped.pass(.seconds(1))
      try loop.turn(wait: nil)
    }
    #expect(poller.waits.prefix(3) == (forgivesStalls ? [1_000, -1, 0] : [-1, -1, -1]))
    group.leave()
  }
}

/// A loop with a manual clock.
private final class ManualLoop {
  let loop: EventLoop
  private let clock = Clock()

  private final class Clock {
    var time: Int64 = 1_000_000_000
  }

  init(poller: any Poller, forgivesStalls: Bool = false) throws {
    loop = EventLoop(
      poller: poller, forgivesStalls: forgivesStalls, systemTime: { [clock] in clock.time })
  }

  convenience init(_ kind: PollerKind, forgivesStalls: Bool = false) throws {
    try self.init(poller: kind.makePoller(), forgivesStalls: forgivesStalls)
  }

  func pass(_ time: Duration) { clock.time += time.wholeNanoseconds }

  /// Lets the time pass, and turns the loop once. All that the peers have sent has arrived by then.
  func goOn(after time: Duration, peers: [Peer] = []) throws {
    try spin { try peers.allSatisfy { try $0.unacknowledged == 0 } }
    pass(time)
    try loop.turn(wait: .milliseconds(1))
  }
}

/// Accepted connections and their peers.
private final class ConnectionGroup {
  let peers: [Peer]
  private(set) var connections: [TCPConnection] = []
  private(set) var recorders: [ConnectionRecorder] = []
  private var listener: TCPListener?

  init(of count: Int, on loop: EventLoop) throws {
    let newcomers = Newcomers()
    let listener = try TCPListener(loop: loop, address: .loopback()) { newcomers.add($0) }
    peers = try (0..<count).map { _ in try Peer(to: listener.address) }
    try loop.turn { newcomers.recorders.count == count }
    (connections, recorders) = (newcomers.connections, newcomers.recorders)
    self.listener = listener
  }

  /// The number of received bytes.
  var heard: Int { recorders.reduce(0) { $0 + $1.text.utf8.count } }

  func leave() {
    for recorder in recorders { recorder.onReceive = nil }
    for peer in peers { peer.socket.close() }
    listener?.close()
  }

  private final class Newcomers {
    var connections: [TCPConnection] = []
    var recorders: [ConnectionRecorder] = []

    func add(_ connection: TCPConnection) {
      let recorder = ConnectionRecorder()
      connection.retainDelegate(recorder)
      recorders.append(recorder)
      connections.append(connection)
    }
  }
}

/// A poller that can find nothing until it is called without a wait, as if a signal interrupted it.
private final class InterruptedPoller: Poller {
  var isInterrupted = false
  /// The requested waits in milliseconds.
  var waits: [Int32] = []
  private let poller = PollPoller()
  private var waitsInARow = 0

  let maxEvents = Int.max

  func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError) {
    try poller.add(descriptor, for: interest, token: token)
  }

  func modify(_ descriptor: Int32, to interest: Interest, token: UInt64) throws(SystemError) {
    try poller.modify(descriptor, to: interest, token: token)
  }

  func remove(_ descriptor: Int32) { poller.remove(descriptor) }

  func wait(milliseconds: Int32) throws(SystemError) -> Int {
    waits.append(milliseconds)
    guard isInterrupted, milliseconds != 0 else { return try poller.wait(milliseconds: 0) }
    return 0
  }

  func event(at index: Int) -> PollerEvent { poller.event(at: index) }
}

/// Waits for the kernel, which may deliver on a thread of its own.
private func spin(until condition: () throws -> Bool) throws {
  for _ in 0..<1_000_000 {
    if try condition() { return }
    sched_yield()
  }
  throw ConditionError()
}

extension Socket {
  /// The number of unread bytes in the system's buffer.
  fileprivate var unread: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
  }
}
