import Shared

/// How long lines wait for their answers: from the beginning of the turn that received a line to
/// the end of the turn that sent the answer. Nearly always both are one turn, so the lines of a
/// turn are added at once, and a line costs nothing.
final class ReplyTimes {
  private(set) var histogram = Histogram.fast
  private let timers: any Timers
  private let gate: OutputGate
  /// The number of all lines that were handled before this turn.
  private var linesBefore = 0
  /// The number of lines of this turn that are in none of the lists, or are added later.
  private var exceptions = 0
  /// The lines of this turn that were received before it.
  private var late: [Lines] = []
  /// The lines whose answers wait until something is stored, the oldest first.
  private var held: [(lines: Lines, commit: Int)] = []

  private struct Lines {
    let number: Int
    /// By `Timers.preciseNow`.
    let received: Duration
  }

  init(timers: any Timers, gate: OutputGate) {
    self.timers = timers
    self.gate = gate
  }

  /// Some lines that are handled in this turn have waited for it, by the clock of `Timers.now`.
  func didHandle(_ number: Int, after wait: Duration) {
    exceptions += number
    addLate(number, wait)
  }

  /// The answer to a line of this turn comes in a later one, or never if the connection ends.
  func didPostpone() { exceptions += 1 }

  /// The answer to a line that was postponed has come.
  func didAnswer(after wait: Duration) { addLate(1, wait) }

  private func addLate(_ number: Int, _ wait: Duration) {
    guard number > 0 else { return }
    late.append(Lines(number: number, received: timers.preciseNow - wait))
  }

  /// `lines` is the number of lines since the start of the server.
  func turnDidEnd(from begin: Duration, to end: Duration, lines: Int) {
    if !held.isEmpty { release(at: end) }
    let number = lines - linesBefore - exceptions
    (linesBefore, exceptions) = (lines, 0)
    if number > 0 { add(Lines(number: number, received: begin), at: end) }
    guard !late.isEmpty else { return }
    for lines in late { add(lines, at: end) }
    late.removeAll(keepingCapacity: true)
  }

  private func add(_ lines: Lines, at end: Duration) {
    if gate.isHeld {
      held.append((lines, gate.committed))
    } else {
      histogram.add(end - lines.received, number: lines.number)
    }
  }

  private func release(at end: Duration) {
    let released = held.prefix { gate.hasStored($0.commit) }
    for (lines, _) in released {
      histogram.add(end - lines.received, number: lines.number)
    }
    held.removeFirst(released.count)
  }
}
