/// Handles the events of a watched descriptor. The loop holds a handler until its watch is
/// cancelled.
package protocol ReadinessHandler: AnyObject {
  /// The descriptor is ready. Never called after the watch was cancelled, not even for an event
  /// that was found before that.
  func descriptorIsReady(_ readiness: Readiness)

  /// Called if the loop is freed while it watches the descriptor. Close the descriptor, and do not
  /// call the loop again.
  func loopDidEnd()
}

/// The event loop of a process. It waits for descriptors and timers, calls their handlers, and
/// sends the output of each turn at its end; in a long turn also in between. All handlers are
/// called on the thread that turns the loop.
///
/// A timer runs after all input that arrived before the timer was due.
package final class EventLoop {
  /// After this many events of a turn, their output is sent before further events are handled. So
  /// the receivers can continue earlier, and the memory is reused sooner.
  static let eventsPerFlush = 8
  /// The same while something has to be stored first: a file takes one large write in little more
  /// time than a small one. A multiple of `eventsPerFlush`.
  static let eventsPerCommit = 64
  /// The longest wait after a turn with events, in nanoseconds. It applies only to a loop that
  /// forgives stalls: such a loop detects a stall when a turn begins too late.
  private static let maxBusyWait: Int64 = 1_000_000_000
  /// The maximum number of rounds of a sweep. Only actions that schedule one another without a
  /// delay and without end need more.
  private static let maxRounds = 16_384

  private struct Slot {
    var handler: (any ReadinessHandler)?
    var generation: UInt32 = 0
    /// The last sweep that included this descriptor, and the number of further calls that this
    /// sweep may make.
    var sweep: UInt16 = 0
    var calls: UInt16 = 0
  }

  let flushQueue = FlushQueue()
  var receiveBuffer: UnsafeMutableBufferPointer<UInt8> { flushQueue.receiveBuffer }
  /// Open, unless something has to be stored before output may leave.
  package var outputGate: OutputGate { flushQueue.gate }
  package var now: Duration { Duration(wholeNanoseconds: clock.now) }
  package var lateness: Duration { Duration(wholeNanoseconds: clock.stall) }
  private var stallActions: [(Duration) -> Void] = []
  private let systemTime: (() -> Int64)?
  private var clock: LoopClock
  private var wasBusy = false
  private let poller: any Poller
  private let timers = TimerQueue()
  /// Timers without a delay. The early ones continue to handle input that a sweep has to take.
  private var immediateTimers = TimerQueue()
  private var earlyTimers = TimerQueue()
  private var hasImmediateTimers = false
  /// The number of the last sweep; 0 before the first.
  private var sweep: UInt16 = 0
  /// Whether the running code handles input that a sweep has to take, and whether there may be
  /// more.
  private var takesEarlyInput = false
  private var hasEarlyInput = false
  /// How many more calls the last handler needs to take the rest of its input.
  private var callsForRest: UInt16 = 0
  // By descriptor. The system assigns the lowest free number, so this stays short.
  private var slots: [Slot] = []
  /// The number of connections whose descriptors are open.
  package private(set) var connectionCount = 0
  private var whenLastConnectionCloses: (() -> Void)?
  /// Called after each connection whose descriptor was closed.
  package var onConnectionClose: (() -> Void)?
  /// Called at the beginning of each turn, before anything is handled. `nil` for most loops.
  package var onTurnBegin: (() -> Void)?
  /// Called after each turn with its beginning and its end, without the wait and by the clock of
  /// `preciseNow`. While it is set, the loop reads the system's clock once more in each turn.
  package var onTurnEnd: ((_ begin: Duration, _ end: Duration) -> Void)?
  /// In nanoseconds, and like `systemTime` with stalls.
  private var turnBegin: Int64 = 0
  private var isInTurn = false
  private var isStopping = false

  /// With `forgivesStalls`, `now` leaves out the time in which the process should have run but did
  /// not, so that no time-out expires because of it. `systemTime` returns nanoseconds; `nil` is the
  /// system's clock.
  package init(
    poller: any Poller, forgivesStalls: Bool = false, systemTime: (() -> Int64)? = nil
  ) {
    self.poller = poller
    self.systemTime = systemTime
    clock = LoopClock(
      systemTime: systemTime?() ?? LoopClock.systemTime(), forgivesStalls: forgivesStalls)
  }

  /// Uses the system's best poller: epoll on Linux, poll(2) elsewhere.
  ///
  /// - Throws: if the poller cannot be created.
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

  /// Turns until `stop`.
  ///
  /// - Throws: if the wait itself fails, which is fatal.
  package func run() throws(SystemError) {
    isStopping = false
    while !isStopping { try turn(wait: nil) }
  }

  /// Ends `run` after the current turn.
  package func stop() { isStopping = true }

  /// Runs one turn: waits for up to `wait` (`nil`: until something happens), calls the handlers of
  /// ready descriptors, runs the timers that are due, and sends the output. Must not be called
  /// inside a turn.
  ///
  /// - Throws: if the wait itself fails.
  package func turn(wait: Duration?) throws(SystemError) {
    precondition(!isInTurn, "turn(wait:) must not be called inside a turn")
    isInTurn = true
    defer { isInTurn = false }
    // Output that was written outside of a turn.
    if !flushQueue.isEmpty { flushQueue.run() }
    let count = try poller.wait(milliseconds: timeToWait(atMost: wait))
    readClock(foundNothing: count == 0)
    turnBegin = clock.systemTime
    wasBusy = count > 0
    if onTurnBegin != nil { onTurnBegin?() }
    if clock.stall == 0 { handleEvents(count) } else { try makeUpForStall() }
    if hasImmediateTimers { runImmediateTimers() }
    if let next = timers.nextNanoseconds, next <= clock.now { try runTimers() }
    flushQueue.run()
    if onTurnEnd != nil { turnDidEnd() }
  }

  @inline(never)
  private func turnDidEnd() {
    onTurnEnd?(Duration(wholeNanoseconds: turnBegin), preciseNow)
  }

  @inline(__always)
  private func handleEvents(_ count: Int) {
    for index in 0..<count {
      let event = poller.event(at: index)
      let watch = Watch(token: event.token)
      let slot = slots[Int(watch.descriptor)]
      guard slot.generation == watch.generation else { continue }
      slot.handler?.descriptorIsReady(event.readiness)
      if isFlushDue(after: index) { flushQueue.run() }
    }
  }

  @inline(__always)
  private func isFlushDue(after index: Int) -> Bool {
    index % Self.eventsPerFlush == Self.eventsPerFlush - 1
      && (!flushQueue.needsCommit || index % Self.eventsPerCommit == Self.eventsPerCommit - 1)
  }

  @inline(never)
  private func runImmediateTimers() {
    hasImmediateTimers = false
    immediateTimers.run(atNanoseconds: .max)
    // Early timers remain only if a sweep reached its maximum number of rounds.
    earlyTimers.run(atNanoseconds: .max)
  }

  @inline(never)
  private func runTimers() throws(SystemError) {
    let due = clock.now
    try takeEarlyInput()
    timers.run(atNanoseconds: due)
  }

  /// Handles the input that arrived during a stall. The sweep finds the events of the last wait
  /// again.
  @inline(never)
  private func makeUpForStall() throws(SystemError) {
    try takeEarlyInput()
    let stall = lateness
    clock.stall = 0
    for action in stallActions { action(stall) }
  }

  /// Sweeps: takes all input that has arrived by now. Input that arrives during the sweep may be
  /// taken too, but does not prolong it.
  ///
  /// The first round handles all ready descriptors. Further rounds handle input that could not be
  /// read before: the rest of input that a handler read in part, input of connections that were
  /// just accepted, and input of connections that continue in a timer without a delay. The rounds
  /// end, because a socket's buffer is bounded.
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
        if isFlushDue(after: index) { flushQueue.run() }
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

  /// Called by a handler that leaves input for its next calls. Up to `calls` of them take the input
  /// that has arrived by now.
  func leaveInput(forCalls calls: UInt16) { callsForRest = calls }

  /// Called by a handler that wanted no input, and wants input again from the end of the turn.
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

  /// Starts to watch a descriptor, which must not be watched already. The loop does not close it.
  ///
  /// - Throws: if the system cannot watch the descriptor.
  package func watch(
    _ descriptor: Int32, for interest: Interest, handler: any ReadinessHandler
  ) throws(SystemError) -> Watch {
    let index = Int(descriptor)
    while slots.count <= index { slots.append(Slot()) }
    precondition(slots[index].handler == nil, "this descriptor is watched already")
    let watch = Watch(descriptor: descriptor, generation: slots[index].generation)
    try poller.add(descriptor, for: interest, token: watch.token)
    slots[index].handler = handler
    slots[index].sweep = 0
    if takesEarlyInput { expectEarlyInput(at: index) }
    return watch
  }

  /// Changes the events that a descriptor is watched for. Does nothing after `cancel`.
  ///
  /// - Throws: if the system has no memory for the change.
  package func modify(_ watch: Watch, to interest: Interest) throws(SystemError) {
    guard isWatched(watch) else { return }
    try poller.modify(watch.descriptor, to: interest, token: watch.token)
  }

  /// Stops watching and releases the handler. Call it before the descriptor is closed. A second
  /// call does nothing.
  package func cancel(_ watch: Watch) {
    guard isWatched(watch) else { return }
    let index = Int(watch.descriptor)
    poller.remove(watch.descriptor)
    slots[index].generation &+= 1
    // This may release the handler's last reference. Its deinit may cancel other watches, so the
    // slot must be empty by then.
    let handler = slots[index].handler
    slots[index].handler = nil
    withExtendedLifetime(handler) {}
  }

  /// Calls `action` once, when the last connection has been closed. A connection that is still
  /// closing counts. If there is none now, the call comes in the next turn.
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

  /// The time to wait in whole milliseconds, rounded up so that a timer is due when the wait is
  /// over; -1 means without end. It counts from the beginning of this turn, so a timer may be late
  /// by the duration of the turn.
  @inline(__always)
  private func timeToWait(atMost wait: Duration?) -> Int32 {
    // Nearly always true in a server: no timer is due within the longest wait.
    if wasBusy, wait == nil, !hasImmediateTimers, clock.forgivesStalls,
      timers.nextNanoseconds ?? .max >= clock.now &+ Self.maxBusyWait
    {
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
    clock.didWait(systemTime: systemTime?() ?? LoopClock.systemTime(), foundNothing: foundNothing)
  }
}

extension EventLoop: Timers {
  package var preciseNow: Duration {
    Duration(wholeNanoseconds: systemTime?() ?? LoopClock.systemTime())
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
