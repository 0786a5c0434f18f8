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
///
/// A timer runs after all input that arrived before it was due, however much that is.
package final class EventLoop {
  /// After so many events of a turn, what they have written is sent before the others are handled: who
  /// waits for it can go on meanwhile, and the memory that it lay in is soon used again.
  static let eventsInARow = 8
  /// The longest wait after a turn in which something happened, in nanoseconds. It is shorter than it
  /// need be only where stalls are forgiven: a stall shows by a turn that begins too late.
  private static let maxBusyWait: Int64 = 1_000_000_000
  /// The most rounds of a sweep. Only actions that schedule one another at once, without end, need
  /// more.
  private static let maxRounds = 16_384

  private struct Slot {
    var handler: (any ReadinessHandler)?
    var generation: UInt32 = 0
    /// The last sweep that this descriptor was part of, and how many more calls that sweep may make.
    var sweep: UInt16 = 0
    var calls: UInt16 = 0
  }

  let flushQueue = FlushQueue()
  var receiveBuffer: UnsafeMutableBufferPointer<UInt8> { flushQueue.receiveBuffer }
  package var now: Duration { Duration(wholeNanoseconds: clock.now) }
  package var lateness: Duration { Duration(wholeNanoseconds: clock.stall) }
  private var stallActions: [(Duration) -> Void] = []
  private let systemTime: (() -> Int64)?
  private var clock: LoopClock
  private var wasBusy = false
  private let poller: any Poller
  private let timers = TimerQueue()
  /// Timers without a delay. The early ones go on with input that a sweep has to take.
  private var immediateTimers = TimerQueue()
  private var earlyTimers = TimerQueue()
  private var hasImmediateTimers = false
  /// The number of the last sweep; 0 is none.
  private var sweep: UInt16 = 0
  /// Whether the running code handles input that a sweep has to take, and whether more may be left.
  private var takesEarlyInput = false
  private var hasEarlyInput = false
  /// How many more calls the handler needs that was called last.
  private var callsForRest: UInt16 = 0
  // By descriptor: the system gives the lowest free one, so this stays short.
  private var slots: [Slot] = []
  /// How many connections are not closed for good.
  package private(set) var connectionCount = 0
  private var whenLastConnectionCloses: (() -> Void)?
  /// Called after each connection that is closed for good.
  package var onConnectionClose: (() -> Void)?
  private var isInTurn = false
  private var isStopping = false

  /// With `forgivesStalls`, `now` leaves out the time in which the process should have run but did
  /// not, so that it counts against nobody who has to act in time. `systemTime` returns nanoseconds;
  /// `nil` is the system's clock.
  package init(
    poller: any Poller, forgivesStalls: Bool = false, systemTime: (() -> Int64)? = nil
  ) {
    self.poller = poller
    self.systemTime = systemTime
    clock = LoopClock(
      systemTime: systemTime?() ?? Self.systemTime(), forgivesStalls: forgivesStalls)
  }

  /// With the system's best poller: epoll on Linux, poll(2) elsewhere.
  package convenience init(forgivesStalls: Bool = false) throws(SystemError) {
    #if os(Linux)
      self.init(poller: try EpollPoller(), forgivesStalls: forgivesStalls)
    #else
      self.init(poller: PollPoller(), forgivesStalls: forgivesStalls)
    #endif
  }

  deinit {
    for slot in slots { slot.handler?.loopDidEnd() }
    flushQueue.clear()
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
    if !flushQueue.isEmpty { flushQueue.run() }
    let count = try poller.wait(milliseconds: timeToWait(atMost: wait))
    readClock(foundNothing: count == 0)
    wasBusy = count > 0
    if clock.stall == 0 { handleEvents(count) } else { try makeUpForStall() }
    if hasImmediateTimers { runImmediateTimers() }
    if let next = timers.nextNanoseconds, next <= clock.now { try runTimers() }
    flushQueue.run()
  }

  @inline(__always)
  private func handleEvents(_ count: Int) {
    for index in 0..<count {
      let event = poller.event(at: index)
      let watch = Watch(token: event.token)
      let slot = slots[Int(watch.descriptor)]
      guard slot.generation == watch.generation else { continue }
      slot.handler?.descriptorIsReady(event.readiness)
      if index % Self.eventsInARow == Self.eventsInARow - 1 { flushQueue.run() }
    }
  }

  @inline(never)
  private func runImmediateTimers() {
    hasImmediateTimers = false
    immediateTimers.run(atNanoseconds: .max)
    // Left only where a sweep gave up.
    earlyTimers.run(atNanoseconds: .max)
  }

  @inline(never)
  private func runTimers() throws(SystemError) {
    let due = clock.now
    try takeEarlyInput()
    timers.run(atNanoseconds: due)
  }

  /// The sweep finds the events of the last wait again.
  @inline(never)
  private func makeUpForStall() throws(SystemError) {
    try takeEarlyInput()
    let stall = lateness
    clock.stall = 0
    for action in stallActions { action(stall) }
  }

  /// Sweeps: takes all input that has arrived by now. It also takes input that arrives meanwhile, but
  /// does not go on for it.
  ///
  /// The first round handles all that is ready. Further rounds handle what was out of reach before:
  /// the rest where a handler did not take all, the input of connections that were just accepted, and
  /// that of connections which go on in a timer without a delay. The rounds come to an end, because a
  /// socket holds only so much.
  private func takeEarlyInput() throws(SystemError) {
    sweep = sweep == .max ? 1 : sweep + 1
    swap(&immediateTimers, &earlyTimers)
    var rounds = 0
    repeat {
      hasEarlyInput = false
      try handleReady(isFirstRound: rounds == 0)
      takesEarlyInput = true
      earlyTimers.run(atNanoseconds: .max)
      takesEarlyInput = false
      immediateTimers.run(atNanoseconds: .max)
      flushQueue.run()
      rounds += 1
    } while hasEarlyInput && rounds < Self.maxRounds && !isStopping
  }

  private func handleReady(isFirstRound: Bool) throws(SystemError) {
    var unseen = slots.count
    var count: Int
    repeat {
      clock.willWait(atMost: 0)
      count = try poller.wait(milliseconds: 0)
      readClock(foundNothing: false)
      unseen -= count
      for index in 0..<count {
        sweep(poller.event(at: index), isFirstRound: isFirstRound)
        if index % Self.eventsInARow == Self.eventsInARow - 1 { flushQueue.run() }
      }
    } while count >= poller.maxEvents && unseen > 0
  }

  private func sweep(_ event: PollerEvent, isFirstRound: Bool) {
    let watch = Watch(token: event.token)
    let index = Int(watch.descriptor)
    let slot = slots[index]
    guard slot.generation == watch.generation else { return }
    let calls = slot.sweep == sweep ? slot.calls : isFirstRound ? .max : 0
    takesEarlyInput = calls > 0
    callsForRest = 0
    slot.handler?.descriptorIsReady(event.readiness)
    takesEarlyInput = false
    guard calls > 0, slots[index].generation == watch.generation else { return }
    slots[index].sweep = sweep
    slots[index].calls = min(callsForRest, calls - 1)
    if slots[index].calls > 0 { hasEarlyInput = true }
  }

  /// For a handler that leaves input for its next calls: so many of them at most take what has
  /// arrived by now.
  func leaveInput(forCalls calls: UInt16) { callsForRest = calls }

  /// For a handler that did not want input, and does so from the end of the turn on.
  func resumeInput(of watch: Watch) {
    guard takesEarlyInput, isWatched(watch) else { return }
    let index = Int(watch.descriptor)
    if slots[index].sweep != sweep { return expectEarlyInput(at: index) }
    if slots[index].calls > 0 { hasEarlyInput = true }
  }

  private func expectEarlyInput(at index: Int) {
    slots[index].sweep = sweep
    slots[index].calls = .max
    hasEarlyInput = true
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
    slots[index].sweep = 0
    if takesEarlyInput { expectEarlyInput(at: index) }
    return watch
  }

  /// Does nothing after `cancel`.
  package func modify(_ watch: Watch, to interest: Interest) throws(SystemError) {
    guard isWatched(watch) else { return }
    try poller.modify(watch.descriptor, to: interest, token: watch.token)
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
    onConnectionClose?()
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
  @inline(__always)
  private func timeToWait(atMost wait: Duration?) -> Int32 {
    // Nearly always, in a server.
    if wasBusy, wait == nil, !hasImmediateTimers, timers.nextNanoseconds == nil {
      guard clock.forgivesStalls else { return -1 }
      clock.willWait(atMost: Self.maxBusyWait)
      return Int32(Self.maxBusyWait / 1_000_000)
    }
    return timeUntilNext(atMost: wait)
  }

  @inline(never)
  private func timeUntilNext(atMost wait: Duration?) -> Int32 {
    // 24 days.
    let forever = Int64(Int32.max) * 1_000_000
    var nanoseconds = wasBusy && clock.forgivesStalls ? Self.maxBusyWait : forever
    if let wait { nanoseconds = min(nanoseconds, max(0, wait.wholeNanoseconds)) }
    if let next = timers.nextNanoseconds {
      nanoseconds = min(nanoseconds, max(0, next - clock.now))
    }
    if hasImmediateTimers { nanoseconds = 0 }
    clock.willWait(atMost: nanoseconds < forever ? nanoseconds : nil)
    guard nanoseconds < forever else { return -1 }
    return Int32((nanoseconds + 999_999) / 1_000_000)
  }

  @inline(__always)
  private func readClock(foundNothing: Bool) {
    clock.didWait(systemTime: systemTime?() ?? Self.systemTime(), foundNothing: foundNothing)
  }

  /// In nanoseconds, which last for 292 years.
  private static func systemTime() -> Int64 {
    var time = timespec()
    // It cannot fail: every system has this clock.
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension EventLoop: Timers {
  package var preciseNow: Duration {
    Duration(wholeNanoseconds: systemTime?() ?? Self.systemTime())
  }

  package func whenStalled(_ action: @escaping (Duration) -> Void) { stallActions.append(action) }

  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    if delay == .zero {
      hasImmediateTimers = true
      if takesEarlyInput { hasEarlyInput = true }
      return (takesEarlyInput ? earlyTimers : immediateTimers).add(atNanoseconds: 0, action)
    }
    let (deadline, isBeyond) = clock.now.addingReportingOverflow(delay.wholeNanoseconds)
    return timers.add(atNanoseconds: isBeyond ? .max : deadline, action)
  }
}
