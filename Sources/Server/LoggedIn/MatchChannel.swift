import Shared

/// The one way between a match and those who are in it. Out: numbers each event, encodes it once,
/// keeps it, and hands the same bytes to each seat and spectator. In: what a player does, with the player's mark.
final class MatchChannel {
  /// The id of the match.
  let match: String
  /// Who sits at each mark of the game that runs or has just ended; `nil` is the bot.
  private(set) var seats: PerMark<Session?>
  private(set) var spectators: [Session] = []
  /// The running game, by way of its view. Whoever takes the game away takes it out here: it need not
  /// be weak then, which would make each reference to the game dear to count.
  unowned var game: (any TicTacToePresentableListener)?
  private var record = EventRecord()
  /// The last event that changed the board.
  private var boardSeq = 0
  private var isOddGame = true

  init(match: String, seats: PerMark<Session?>) {
    self.match = match
    self.seats = seats
  }

  /// The number of the last event.
  var seq: Int { record.seq }

  /// The mark of a session; `nil` for a spectator.
  func seat(of session: Session) -> Mark? {
    seats.x === session ? .x : seats.o === session ? .o : nil
  }

  /// The mark of a session, which has to sit in this match.
  func mark(of session: Session) -> Mark { seats.x === session ? .x : .o }

  /// The players and the spectators.
  var everyone: [Session] { [seats.x, seats.o].compactMap(\.self) + spectators }

  func add(spectator session: Session) {
    spectators.append(session)
  }

  func remove(spectator session: Session) {
    spectators.removeAll { $0 === session }
  }

  /// Whether an event has been and the board has not changed after it.
  func isCurrent(_ seq: Int) -> Bool { seq >= boardSeq && seq <= self.seq }

  /// The next game is played with the marks changed.
  func changeSeats() {
    seats = seats.swapped
    isOddGame.toggle()
  }

  /// Tells all what has happened.
  func send(_ body: MatchEvent.Body) {
    var marks = EventRecord.Marks.none
    switch body {
    case .gameDidStart:
      boardSeq = seq + 1
      marks = isOddGame ? .ofOddGame : .ofEvenGame
    case .boardDidChange(let change, let left):
      return send(change, left: left)
    case .gameDidEnd, .presenceDidChange, .matchDidEnd, .didSay:
      break
    }
    record.append(marks: marks) { seq, line in
      EventEncoder.append(MatchEvent(match: match, seq: seq, body), to: &line)
    }
    writeLast()
  }

  /// Tells all what a move has done; `left` is the time for the next one, where there is a limit.
  func send(_ change: Change, left: Duration?) {
    boardSeq = seq + 1
    record.append(change, left: left, match: match)
    writeLast()
  }

  private func writeLast() {
    record.withLast { line, marks in
      seats.x?.write(line: line, you: you(.x, marks))
      seats.o?.write(line: line, you: you(.o, marks))
      for spectator in spectators { spectator.write(line: line, you: nil) }
    }
  }

  /// Tells one player or spectator the events after `seq`; answers `false`, and tells nothing, where
  /// there are none or they are not all kept.
  func sendMissed(after seq: Int, to session: Session) -> Bool {
    let mark = seat(of: session)
    return record.forEach(after: seq) { line, marks in
      session.write(line: line, you: mark.flatMap { you($0, marks) })
    }
  }

  /// The mark to be told in a line to whoever plays `mark` now.
  private func you(_ mark: Mark, _ marks: EventRecord.Marks) -> Mark? {
    switch marks {
    case .none: nil
    case .ofOddGame: isOddGame ? mark : mark.other
    case .ofEvenGame: isOddGame ? mark.other : mark
    }
  }
}
