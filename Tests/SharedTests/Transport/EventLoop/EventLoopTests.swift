#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import TestSupport
import Testing

@testable import Shared

@Suite struct EventLoopTests {
  @Test(arguments: PollerKind.allCases)
  func `a timer ends the wait when it is due, and not before`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var ranAt: Duration?
    let start = loop.now
    loop.schedule(after: .milliseconds(15)) { ranAt = loop.now }
    try loop.turn(wait: .milliseconds(1))
    // If the turn took too long, the timer may be due.
    #expect(ranAt == nil || loop.now - start >= .milliseconds(15))
    for _ in 0..<1000 where ranAt == nil { try loop.turn(wait: nil) }
    #expect(try #require(ranAt) - start >= .milliseconds(15))
  }

  @Test(arguments: PollerKind.allCases)
  func `a timer due at once runs in a later turn than the one that scheduled it`(
    kind: PollerKind
  ) throws {
    let loop = try kind.makeLoop()
    var ran: [Int] = []
    loop.schedule(after: .zero) {
      ran.append(1)
      loop.schedule(after: .zero) { ran.append(2) }
    }
    #expect(ran.isEmpty)
    try loop.turn(wait: .zero)
    #expect(ran == [1])
    try loop.turn(wait: nil)
    #expect(ran == [1, 2])
  }

  @Test(arguments: PollerKind.allCases)
  func `the end of each turn is reported with its times, without the wait`(kind: PollerKind) throws
  {
    final class Clock { var time: Int64 = 1_000 }
    let clock = Clock()
    let loop = EventLoop(
      poller: try kind.makePoller(), forgivesStalls: true, systemTime: { clock.time })
    var turns: [ClosedRange<Duration>] = []
    loop.onTurnEnd = { turns.append($0...$1) }
    loop.schedule(after: .zero) { clock.time += 500 }
    try loop.turn(wait: .zero)
    clock.time += 3_000_000_000
    loop.schedule(after: .zero) { clock.time += 700 }
    try loop.turn(wait: .zero)
    #expect(
      turns == [
        .nanoseconds(1_000)...(.nanoseconds(1_500)),
        .nanoseconds(3_000_001_500)...(.nanoseconds(3_000_002_200)),
      ])
    loop.onTurnEnd = nil
    try loop.turn(wait: .zero)
    #expect(turns.count == 2)
  }

  @Test(arguments: PollerKind.allCases)
  func `stop ends run after the turn`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var ran: [Int] = []
    for number in 1...2 {
      loop.schedule(after: .zero) {
        ran.append(number)
        loop.stop()
      }
    }
    try loop.run()
    #expect(ran == [1, 2])
  }

  @Test(arguments: PollerKind.allCases)
  func `an event of a closed descriptor does not reach the next one with its number`(
    kind: PollerKind
  ) throws {
    let loop = try kind.makeLoop()
    let ends = [try Socket.pair(), try Socket.pair()]
    let handlers = [Handler(), Handler()]
    let newcomer = Handler()
    for index in 0...1 {
      handlers[index].watch = try loop.watch(
        ends[index].0.descriptor, for: .readable, handler: handlers[index])
      try Peer(socket: ends[index].1).send("x")
    }
    // The handler that is called first replaces the other one's descriptor.
    for index in 0...1 {
      handlers[index].onReady = {
        handlers[1 - index].onReady = {}
        let other = ends[1 - index].0
        if let watch = handlers[1 - index].watch { loop.cancel(watch) }
        // Closes the other descriptor and takes its number.
        #expect(dup2(ends[index].1.descriptor, other.descriptor) == other.descriptor)
        newcomer.watch = try? loop.watch(other.descriptor, for: .readable, handler: newcomer)
        if let watch = handlers[index].watch { loop.cancel(watch) }
      }
    }
    try loop.turn(wait: nil)
    #expect(handlers.map(\.readiness.count).reduce(0, +) == 1)
    #expect(newcomer.watch != nil)
    #expect(newcomer.readiness.isEmpty)
    if let watch = newcomer.watch { loop.cancel(watch) }
    // The handlers hold one another.
    for handler in handlers { handler.onReady = {} }
    for (near, far) in ends {
      near.close()
      far.close()
    }
  }

  @Test(arguments: PollerKind.allCases)
  func `only requested events are reported, and always a hang-up`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let (near, far) = try Socket.pair()
    let handler = Handler()
    let watch = try loop.watch(near.descriptor, for: .writable, handler: handler)
    try Peer(socket: far).send("x")
    try loop.turn(wait: .zero)
    #expect(handler.readiness == [.writable])
    try loop.modify(watch, to: .readable)
    try loop.turn(wait: .zero)
    #expect(handler.readiness == [.writable, .readable])
    try loop.modify(watch, to: [])
    try loop.turn(wait: .zero)
    #expect(handler.readiness.count == 2)
    far.close()
    try loop.turn(wait: .zero)
    #expect(handler.readiness.last == .hangUp)
    loop.cancel(watch)
    loop.cancel(watch)
    try loop.turn(wait: .zero)
    #expect(handler.readiness.count == 3)
    near.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `watches come and go in any order`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var random = SeededGenerator(seed: 7)
    var open: [(near: Socket, far: Socket, handler: Handler)] = []
    for _ in 0..<300 {
      if open.count < 40, open.isEmpty || Bool.random(using: &random) {
        let (near, far) = try Socket.pair()
        let handler = Handler()
        handler.watch = try loop.watch(near.descriptor, for: .readable, handler: handler)
        open.append((near, far, handler))
      } else {
        let gone = open.remove(at: Int.random(in: 0..<open.count, using: &random))
        loop.cancel(try #require(gone.handler.watch))
        gone.near.close()
        gone.far.close()
      }
      guard let one = open.randomElement(using: &random) else { continue }
      try Peer(socket: one.far).send("x")
      try loop.turn(wait: .zero)
      #expect(open.filter { !$0.handler.readiness.isEmpty }.map(\.near) == [one.near])
      one.handler.readiness = []
      #expect(try Peer(socket: one.near).receiveText() == "x")
    }
    for (near, far, handler) in open {
      loop.cancel(try #require(handler.watch))
      near.close()
      far.close()
    }
  }

  @Test func `an object that a timer holds may cancel it in its deinit`() throws {
    let loop = try EventLoop()
    let owner = Owner()
    let timer = loop.schedule(after: .seconds(1)) { [holder = Owner.Holder(owner)] in
      _ = holder
    }
    owner.timer = timer
    timer.cancel()
    #expect(owner.holderIsGone)
  }
}

private final class Handler: ReadinessHandler {
  var watch: Watch?
  var readiness: [Readiness] = []
  var onReady = {}

  func descriptorIsReady(_ readiness: Readiness) {
    self.readiness.append(readiness)
    onReady()
  }

  func loopDidEnd() {}
}

private final class Owner {
  var timer: LoopTimer?
  var holderIsGone = false

  final class Holder {
    let owner: Owner
    init(_ owner: Owner) { self.owner = owner }
    deinit {
      owner.timer?.cancel()
      owner.holderIsGone = true
    }
  }
}
