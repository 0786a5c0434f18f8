import Shared

/// The lines of a client: taken out of what comes, read, and carried out in their turn.
extension ClientConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    silence.lastInput = timers.now
    journal.counters.bytesIn += bytes.count
    if isFresh, beginsTLS(bytes) { return close(with: .bye(.badProtocol)) }
    if usage.hasToWait, let wait = usage.timeToWait(at: silence.lastInput) {
      framer.keepRest(of: bytes, from: 0)
      return pauseForOthers(wait)
    }
    read(bytes)
  }

  /// Looks at the first two bytes, the first of which may have come alone.
  private func beginsTLS(_ bytes: Span<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    if case .halfOfTLS = life {
      life = .begun
      return ForeignProtocol.isSecondOfTLS(bytes[0])
    }
    life = bytes.count == 1 && ForeignProtocol.isFirstOfTLS(bytes[0]) ? .halfOfTLS : .begun
    return ForeignProtocol.beginsTLS(bytes)
  }

  func connectionDidFallShort(_ connection: any Connection) {
    countUnsent()
  }

  func connectionDidDrain(_ connection: any Connection) {
    countUnsent()
    goOn()
  }

  /// The end of the client's input needs no goodbye; what it was answered still goes out.
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    hangUp(because: end.reason)
    endSession()
  }
}

extension ClientConnection {
  private var isOpen: Bool {
    if case .open = life { true } else { false }
  }

  private var isFresh: Bool {
    switch life {
    case .fresh, .halfOfTLS: true
    case .begun, .open, .paused, .closed: false
    }
  }

  /// Takes the lines out of a chunk as long as the client reads the answers.
  @inline(__always)
  private func read(_ chunk: Span<UInt8>) {
    var offset = 0
    var count = 0
    let most = journal.counters.bytesOut + Self.bytesWrittenInARow
    while offset < chunk.count {
      switch life {
      case .closed: return
      case .paused: return framer.keepRest(of: chunk, from: offset)
      case .fresh, .halfOfTLS, .begun, .open: break
      }
      guard count < Self.linesInARow, offset < Self.bytesReadInARow,
        journal.counters.bytesOut < most
      else {
        pauseForOthers(.zero)
        continue
      }
      count += 1
      switch framer.next(in: chunk, from: &offset) {
      case .line(let range): handle(chunk.extracting(range))
      case .joined(let line): handle(joined: line)
      case .needsMore: return
      case .tooLong: return close(with: .bye(.lineTooLong))
      }
    }
  }

  @inline(never)
  private func handle(joined line: [UInt8]) {
    handle(line.span)
  }

  @inline(__always)
  private func handle(_ line: Span<UInt8>) {
    if !isOpen {
      guard !ForeignProtocol.isHTTP(line) else { return close(with: .bye(.badProtocol)) }
      life = .open
    }
    journal.counters.linesIn += 1
    // A move is by far the most frequent line; one without an id is read here and nowhere else.
    if let cell = CommandDecoder.bareMove(line), !journal.log.shows(.trace) {
      if mayGoOn(cost: 1) { carryOut { () throws(CommandError) in try place(at: cell, seq: nil) } }
    } else {
      decode(line)
    }
    checkSoftLimit()
  }

  /// Reads and carries out a line, and counts the time that it takes to the client's address.
  @inline(never)
  private func decode(_ line: Span<UInt8>) {
    if let (cell, id) = CommandDecoder.move(line), !journal.log.shows(.trace) {
      reply = id.map(RequestID.integer)
      if mayGoOn(cost: 1) { carryOut { () throws(CommandError) in try place(at: cell, seq: nil) } }
      reply = nil
      return
    }
    let begin = timers.clock
    decodeAny(line)
    let end = timers.clock
    usage.charge(end - begin, at: end)
  }

  private func decodeAny(_ line: Span<UInt8>) {
    do throws(LineError) {
      guard let request = try decoder.decode(line) else { return }
      if journal.log.shows(.trace) { trace(request) }
      reply = request.id
      if mayGoOn(cost: request.command.cost) {
        carryOut { () throws(CommandError) in try perform(request.command) }
      }
    } catch {
      if journal.log.shows(.trace) { trace(error, in: line) }
      reply = error.id
      // A line that cannot be read counts, but is answered as such, too fast or not.
      if timeToWaitForToken(cost: 1) != nil, isFlood {
        closeAsFlood()
      } else {
        write(.error(error))
      }
    }
    reply = nil
  }

  /// Whether the rates of the connection and its address allow one more line; tells the client where
  /// they do not.
  @inline(__always)
  private func mayGoOn(cost: Int) -> Bool {
    guard let wait = timeToWaitForToken(cost: cost) else { return true }
    refuse(wait)
    return false
  }

  @inline(never)
  private func refuse(_ wait: Duration) {
    if isFlood { closeAsFlood() } else { write(.error(.tooFast, retry: wait.milliseconds)) }
  }

  @inline(__always)
  private func carryOut(_ command: () throws(CommandError) -> Void) {
    do throws(CommandError) {
      try command()
    } catch {
      refuse(error)
    }
  }

  @inline(never)
  private func refuse(_ error: CommandError) {
    write(.error(error.code, message: error.message, field: error.field, retry: error.retry))
  }

  /// Takes a line's tokens, by the time at which the line came: a client that sends very much at once
  /// gains nothing by having to wait for the others.
  /// - Returns: `nil` where there were enough, else the time until there are.
  @inline(__always)
  private func timeToWaitForToken(cost: Int) -> Duration? {
    if let wait = rate?.take(at: silence.lastInput) {
      refusedInARow += 1
      return wait
    }
    refusedInARow = 0
    guard paidLines < cost else {
      paidLines &-= cost
      return nil
    }
    return payLines(cost: cost)
  }

  /// Takes tokens of the address, for this line and some more where there are enough.
  @inline(never)
  private func payLines(cost: Int) -> Duration? {
    let more = usage.linesAtOnce
    if more > cost, usage.takeLines(more, at: silence.lastInput) == nil {
      paidLines += more - cost
      return nil
    }
    return usage.takeLines(cost, at: silence.lastInput)
  }

  /// Whether as many lines in a row were refused as the rate allows at once.
  private var isFlood: Bool {
    guard let rate else { return false }
    return refusedInARow >= rate.burst
  }

  private func closeAsFlood() {
    close(with: .bye(.flood, retry: rate?.timeToFill.milliseconds))
  }

  /// Lets the client's commands wait while too much of their answers is unread.
  private func checkSoftLimit() {
    guard unsent > Self.softLimit, case .open = life, isBehind() else { return }
    pause(for: Self.patience) { [unowned self] in resetAsTooSlow() }
  }

  /// Lets the lines wait so that others have their turn.
  private func pauseForOthers(_ duration: Duration) {
    pause(for: duration) { [unowned self] in goOn() }
  }

  @inline(never)
  private func pause(for duration: Duration, _ action: @escaping () -> Void) {
    connection.isReading = false
    life = .paused(timers.schedule(after: duration, action))
  }

  /// Takes up what was kept while its commands waited.
  private func goOn() {
    guard case .paused(let timer) = life else { return }
    timer.cancel()
    if let wait = usage.timeToWait(at: timers.now) { return pauseForOthers(wait) }
    life = .open
    let rest = framer.takeRest()
    read(rest.span)
    if case .open = life { connection.isReading = true }
  }
}
