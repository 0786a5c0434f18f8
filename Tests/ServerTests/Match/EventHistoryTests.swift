import Shared
import Testing

@testable import Server

@Suite struct EventHistoryTests {
  @Test func `an empty history has no events`() {
    let history = EventHistory()
    #expect(history.seq == 0)
    #expect(history.first == 1)
    #expect(lines(of: history, after: 0) == nil)
  }

  @Test func `only the events after a number are returned`() {
    var history = EventHistory()
    for number in 1...3 { history.append("event \(number)") }
    #expect(history.seq == 3)
    #expect(lines(of: history, after: 0) == ["event 1", "event 2", "event 3"])
    #expect(lines(of: history, after: 1) == ["event 2", "event 3"])
    #expect(lines(of: history, after: 2) == ["event 3"])
    #expect(lines(of: history, after: 3) == nil)
    #expect(lines(of: history, after: 4) == nil)
    #expect(lines(of: history, after: .max) == nil)
  }

  @Test func `a move is encoded again as it was, between the other events`() throws {
    var history = EventHistory()
    history.append("a beginning")
    let changes = [
      Change(placement(0, 2, .x), turn: .o, hash: 0x0000_00af),
      Change(placement(18, 10, .o), turn: .x, hash: .max),
      Change(placement(1, 1, .x), turn: nil, hash: 0),
    ]
    for change in changes {
      let move = try #require(
        CompactMove(change.placement, turn: change.turn, hash: change.hash))
      history.append(move)
    }
    history.append("an end")
    for timeLimit in [nil, Duration.milliseconds(29_999), .seconds(50 * 86_400)] {
      var expected = ["a beginning"]
      for (index, change) in changes.enumerated() {
        // There is no time for the move after the last one.
        let timeLeft = change.turn == nil ? nil : timeLimit
        expected.append(line(.boardDidChange(change, timeLeft: timeLeft), seq: index + 2))
      }
      expected.append("an end")
      #expect(lines(of: history, after: 0, timeLimit: timeLimit) == expected)
      #expect(lines(of: history, after: 3, timeLimit: timeLimit) == Array(expected.dropFirst(3)))
    }
  }

  @Test func `a move with too large numbers has no compact form`() {
    #expect(CompactMove(placement(255, 255, .x), turn: .o, hash: 0) != nil)
    #expect(CompactMove(placement(256, 0, .x), turn: .o, hash: 0) == nil)
    #expect(CompactMove(placement(0, -1, .x), turn: .o, hash: 0) == nil)
  }

  @Test func `the beginning of a game is encoded again, with who had which mark`() throws {
    var history = EventHistory()
    var told: [(state: Score, order: MarkOrder?)] = []
    let orders = [MarkOrder(inGame: 1), MarkOrder(inGame: 2)]
    for (score, order) in zip([Score(), Score(x: 65_535, o: 7, draws: 300)], orders) {
      let beginning = try #require(CompactBeginning(score: score, order: order))
      history.append(beginning)
    }
    let hasAll = history.forEach(
      after: 0, in: "7q2k", timeLimit: nil,
      state: {
        told.append(($0.score, nil))
        return GameState(
          game: "g", players: PerMark(x: "ann", o: "bob"), board: Board(.ticTacToe),
          score: $0.score)
      },
      { told[told.count - 1].order = $1 })
    #expect(hasAll)
    #expect(told.map(\.state) == [Score(), Score(x: 65_535, o: 7, draws: 300)])
    #expect(told.map(\.order) == orders)
  }

  @Test func `every end of a game is encoded again as it was`() throws {
    let score = Score(x: 1, o: 4_095, draws: 300)
    var outcomes = [
      Outcome(winner: nil, reason: .full), Outcome(winner: .x, reason: .abandoned),
      Outcome(winner: .o, reason: .line, line: [Cell(row: 18, column: 3)]),
    ]
    // Lines from the middle of the largest board, in each direction.
    for (rows, columns) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
      for count in 2...9 {
        let line = (0..<count).map { Cell(row: 9 + $0 * rows, column: 9 + $0 * columns) }
        outcomes.append(Outcome(winner: .x, reason: .line, line: line))
      }
    }
    for outcome in outcomes {
      var history = EventHistory()
      history.append(try #require(CompactEnding(outcome, score)))
      #expect(lines(of: history, after: 0) == [line(.gameDidEnd(outcome, score), seq: 1)])
    }
    #expect(CompactEnding(outcomes[0], Score(x: 4_096)) == nil)
  }

  @Test func `the last events are returned, whatever they are`() throws {
    var history = EventHistory()
    var expected: [String] = []
    for number in 1...200 {
      // Lines, moves and ends, alternating after different numbers.
      if number % 3 == 0 || number % 7 == 0 {
        history.append("event \(number)")
        expected.append("event \(number)")
      } else if number % 4 == 0 {
        let (outcome, score) = (Outcome(winner: .o, reason: .resigned), Score(o: number))
        history.append(try #require(CompactEnding(outcome, score)))
        expected.append(line(.gameDidEnd(outcome, score), seq: number))
      } else {
        let change = Change(placement(0, number % 3, .x), turn: .o, hash: UInt32(number))
        history.append(
          try #require(CompactMove(change.placement, turn: .o, hash: change.hash)))
        expected.append(line(.boardDidChange(change), seq: number))
      }
      #expect(history.first == max(1, number - EventHistory.maxEvents + 1))
      for after in history.first - 1..<number {
        #expect(lines(of: history, after: after) == Array(expected.dropFirst(after)))
      }
    }
  }

  @Test func `an event that cannot be kept drops all earlier events`() {
    var history = EventHistory()
    history.append("event 1")
    #expect(CompactBeginning(score: Score(draws: 65_536), order: MarkOrder()) == nil)
    history.appendGap()
    #expect(history.seq == 2)
    #expect(lines(of: history, after: 0) == nil)
    #expect(lines(of: history, after: 1) == nil)
    history.append("event 3")
    #expect(lines(of: history, after: 1) == nil)
    #expect(lines(of: history, after: 2) == ["event 3"])
  }

  @Test(arguments: [1, 20, 200, 5_000])
  func `beyond the maximum the oldest event is dropped, and the order is kept`(
    length: Int
  ) {
    var history = EventHistory()
    let text = String(repeating: "x", count: length)
    var count = 0
    while history.first == 1 {
      count += 1
      history.append("\(text) \(count)")
    }
    // All events up to the one before it were kept.
    #expect(
      count == max(2, min(EventHistory.maxEvents, EventHistory.maxBytes / (length + 2)) + 1))
    for number in (count + 1)...2_000 {
      history.append("\(text) \(number)")
      #expect(history.seq == number)
      let kept = lines(of: history, after: history.first - 1)
      #expect(kept == (history.first...number).map { "\(text) \($0)" })
    }
    #expect(lines(of: history, after: history.first - 2) == nil)
    #expect(lines(of: history, after: 0) == nil)
  }

  @Test func `the last event is kept, however long it is`() {
    var history = EventHistory()
    history.append("short")
    let long = String(repeating: "x", count: EventHistory.maxBytes * 2)
    history.append(long)
    #expect(history.first == 2)
    #expect(lines(of: history, after: 0) == nil)
    #expect(lines(of: history, after: 1) == [long])
    history.append("short")
    #expect(lines(of: history, after: 2) == ["short"])
  }

  private func placement(_ row: Int, _ column: Int, _ mark: Mark) -> Placement {
    Placement(cell: Cell(row: row, column: column), mark: mark)
  }

  private func line(_ event: MatchEvent.Body, seq: Int) -> String {
    var line: [UInt8] = []
    EventEncoder.append(.match(MatchEvent(match: "7q2k", seq: seq, event)), to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  private func lines(
    of history: EventHistory, after seq: Int, timeLimit: Duration? = nil
  ) -> [String]? {
    var lines: [String] = []
    let hasAll = history.forEach(
      after: seq, in: "7q2k", timeLimit: timeLimit.map(EncodedTime.init),
      state: { _ in preconditionFailure("no game begins here") },
      { line, _ in
        lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
      })
    // If not all of them are kept, it returns none.
    if !hasAll { #expect(lines == []) }
    return hasAll ? lines : nil
  }
}

extension EventHistory {
  fileprivate mutating func append(_ text: String) {
    append(Array(text.utf8).span)
  }
}
