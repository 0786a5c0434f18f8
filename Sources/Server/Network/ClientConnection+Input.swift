import Shared

/// The lines of a client: taken out of what comes, read, and carried out in their turn.
extension ClientConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    silence.lastInput = timers.now
    journal.counters.bytesIn += bytes.count
    if isFresh, beginsTLS(bytes) { return close(with: .bye(.badProtocol)) }
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

  func connectionDidDrain(_ connection: any Connection) {
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
        pause(for: .zero) { [unowned self] in goOn() }
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
    // A move is by far the most frequent line. It has no id.
    if let cell = CommandDecoder.plainPlace(line), !journal.log.shows(.trace) {
      if mayGoOn() { carryOut { () throws(CommandError) in try place(at: cell, seq: nil) } }
    } else {
      decode(line)
    }
    checkSoftLimit()
  }

  @inline(never)
  private func decode(_ line: Span<UInt8>) {
    do throws(LineError) {
      guard let request = try decoder.decode(line) else { return }
      if journal.log.shows(.trace) { trace(request) }
      reply = request.id
      if mayGoOn() {
        carryOut { () throws(CommandError) in try perform(request.command) }
      }
    } catch {
      if journal.log.shows(.trace) { trace(error, in: line) }
      reply = error.id
      // A line that cannot be read counts, but is answered as such, too fast or not.
      if takeToken() == .flood { closeAsFlood() } else { write(.error(error)) }
    }
    reply = nil
  }

  /// Whether the client's rate of lines allows one more; tells the client where it does not.
  private func mayGoOn() -> Bool {
    let verdict = takeToken()
    if verdict != .granted { refuse(verdict) }
    return verdict == .granted
  }

  @inline(never)
  private func refuse(_ verdict: LineRate.Verdict) {
    switch verdict {
    case .granted: break
    case .tooFast(let retry): write(.error(.tooFast, retry: retry.milliseconds))
    case .flood: closeAsFlood()
    }
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

  /// By the time at which the line came: who sends very much at once gains nothing by having to wait
  /// for the others.
  private func takeToken() -> LineRate.Verdict {
    rate?.take(at: silence.lastInput, lateness: timers.lateness) ?? .granted
  }

  private func closeAsFlood() {
    close(with: .bye(.flood, retry: rate?.timeToFill.milliseconds))
  }

  /// Lets the client's commands wait while too much of their answers is unread.
  private func checkSoftLimit() {
    guard unsent > Self.softLimit, case .open = life, isBehind() else { return }
    pause(for: Self.patience) { [unowned self] in close(with: .bye(.tooSlow)) }
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
    life = .open
    let rest = framer.takeRest()
    read(rest.span)
    if case .open = life { connection.isReading = true }
  }
}
