#if canImport(Glibc)
  import Glibc
  // Where the compiler looks for what `timespec` consists of.
  import SwiftOverlayShims
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The loop calls it when a descriptor that it watches is ready. The loop holds its handlers until
/// the watch is cancelled.
package protocol ReadinessHandler: AnyObject {
  /// Never called after the watch was cancelled, not even with what the same wait had found.
  func descriptorIsReady(_ readiness: Readiness)

  /// The loop goes while it still watches: close the descriptor, and call the loop no more.
  func loopDidEnd()
}

/// The one loop of a process: waits for descriptors and timers, calls their handlers, and sends at
/// the end of each turn what the turn has written, and in a long one now and then. All that is called
/// is called on the thread that turns it.
package final class EventLoop {
  /// After so many events of a turn, what they have written is sent before the others are handled: who
  /// waits for it can go on meanwhile, and the memory that it lay in is soon used again.
  static let eventsInARow = 8

  private struct Slot {
    var handler: (any ReadinessHandler)?
    var generation: UInt32 = 0
  }

  let turnEnd = TurnEnd()
  var receiveBuffer: UnsafeMutableBufferPointer<UInt8> { turnEnd.receiveBuffer }
  package var now: Duration { Duration(wholeNanoseconds: turnBegin) }
  /// The time of this turn.
  private var turnBegin: Int64
  private let poller: any Poller
  private let timers = TimerQueue()
  // By descriptor: the system gives the lowest free one, so this stays short.
  private var slots: [Slot] = []
  /// How many connections are not closed for good.
  package private(set) var connectionCount = 0
  private var whenLastConnectionCloses: (() -> Void)?
  private var isInTurn = false
  private var isStopping = false

  package init(poller: any Poller) {
    self.poller = poller
    turnBegin = Self.readClock()
  }

  /// With the system's best poller: epoll on Linux, poll(2) elsewhere.
  package convenience init() throws(SystemError) {
    #if os(Linux)
      self.init(poller: try EpollPoller())
    #else
      self.init(poller: PollPoller())
    #endif
  }

  deinit {
    for slot in slots { slot.handler?.loopDidEnd() }
    turnEnd.clear()
  }

  /// Turns until `stop`. Throws where the wait itself fails, which is fatal.
  package func run() throws(SystemError) {
    isStopping = false
    while !isStopping { try turn(wait: nil) }
  }

  /// Ends `run` when the turn that is under way is over.
  package func stop() { isStopping = true }

  /// One turn: waits, calls the handlers of what is ready, runs the timers that are due, and sends
  /// what was written. Not to be called inside a turn. Waits at most as long as `wait`; `nil` is
  /// until something happens.
  package func turn(wait: Duration?) throws(SystemError) {
    precondition(!isInTurn, "a turn does not turn its own loop")
    isInTurn = true
    defer { isInTurn = false }
    // What was written outside of a turn.
    if !turnEnd.isEmpty { turnEnd.run() }
    let count = try poller.wait(milliseconds: timeToWait(atMost: wait))
    turnBegin = Self.readClock()
    handleEvents(count)
    if let next = timers.nextNanoseconds, next <= turnBegin { try runTimers() }
    turnEnd.run()
  }

  @inline(__always)
  private func handleEvents(_ count: Int) {
    for index in 0..<count {
      let event = poller.event(at: index)
      let watch = Watch(token: event.token)
      let slot = slots[Int(watch.descriptor)]
      guard slot.generation == watch.generation else { continue }
      slot.handler?.descriptorIsReady(event.readiness)
      if index % Self.eventsInARow == Self.eventsInARow - 1 { turnEnd.run() }
    }
  }

  /// What came in time counts before a time that is over, be it that the process was stopped or busy
  /// meanwhile. Twice, for a new connection is accepted first, and then what it has sent is read.
  @inline(never)
  private func runTimers() throws(SystemError) {
    for _ in 0..<2 {
      let count = try poller.wait(milliseconds: 0)
      guard count > 0 else { break }
      handleEvents(count)
    }
    timers.run(atNanoseconds: turnBegin)
  }

  /// Starts to watch a descriptor, which must not be watched already. It is not closed by the loop.
  package func watch(
    _ descriptor: Int32, for interest: Interest, handler: any ReadinessHandler
  ) throws(SystemError) -> Watch {
    let index = Int(descriptor)
    while slots.count <= index { slots.append(Slot()) }
    precondition(slots[index].handler == nil, "a descriptor is watched once")
    let watch = Watch(descriptor: descriptor, generation: slots[index].generation)
    try poller.add(descriptor, for: interest, token: watch.token)
    slots[index].handler = handler
    return watch
  }

  /// Does nothing after `cancel`.
  package func change(_ watch: Watch, to interest: Interest) throws(SystemError) {
    guard isWatched(watch) else { return }
    try poller.change(watch.descriptor, to: interest, token: watch.token)
  }

  /// Lets the handler go. To be called before the descriptor is closed; twice is once.
  package func cancel(_ watch: Watch) {
    guard isWatched(watch) else { return }
    let index = Int(watch.descriptor)
    poller.remove(watch.descriptor)
    slots[index].generation &+= 1
    // Its last owner may be this slot; what it lets go may cancel other watches.
    let handler = slots[index].handler
    slots[index].handler = nil
    withExtendedLifetime(handler) {}
  }

  /// Calls `action` once, when no connection is left, those that are still closing included; within
  /// the next turn where there is none now.
  package func whenLastConnectionCloses(_ action: @escaping () -> Void) {
    guard connectionCount > 0 else {
      schedule(after: .zero, action)
      return
    }
    whenLastConnectionCloses = action
  }

  func connectionDidOpen() { connectionCount += 1 }

  func connectionDidClose() {
    connectionCount -= 1
    guard connectionCount == 0 else { return }
    let action = whenLastConnectionCloses
    whenLastConnectionCloses = nil
    action?()
  }

  private func isWatched(_ watch: Watch) -> Bool {
    let index = Int(watch.descriptor)
    return slots[index].generation == watch.generation && slots[index].handler != nil
  }

  /// In whole milliseconds, rounded up, so that a timer is due when the wait is over; -1: for ever.
  /// Counted from when this turn began: a timer may be late by what the turn took.
  private func timeToWait(atMost wait: Duration?) -> Int32 {
    var nanoseconds = wait.map { max(0, $0.wholeNanoseconds) }
    if let next = timers.nextNanoseconds {
      let untilNext = max(0, next - turnBegin)
      nanoseconds = min(nanoseconds ?? untilNext, untilNext)
    }
    guard let nanoseconds else { return -1 }
    return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
  }

  /// In nanoseconds, which last for 292 years.
  private static func readClock() -> Int64 {
    var time = timespec()
    // It cannot fail: every system has this clock.
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension EventLoop: Timers {
  package var clock: Duration { Duration(wholeNanoseconds: Self.readClock()) }

  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    let (deadline, isBeyond) = turnBegin.addingReportingOverflow(delay.wholeNanoseconds)
    return timers.add(atNanoseconds: isBeyond ? .max : deadline, action)
  }
}
