import Shared
import Testing

@testable import Client

/// A match as a store keeps it: the events that a spectator of the whole match gets.
struct StoredMatch {
  private(set) var events: [Event] = []
  let game: GameInfo
  private var board: Board
  private var players = PerMark(x: "ann", o: "bob")
  private var score = Score()

  init(_ game: GameInfo = .ticTacToe) {
    self.game = game
    board = game.board
  }

  /// A match of two games: ann wins with five moves, then bob resigns after one.
  static var example: StoredMatch {
    var match = StoredMatch()
    match.begin()
    for number in [1, 4, 2, 5, 3] { match.move(number) }
    match.say("Well played.", from: "bob")
    match.beginNext()
    match.move(5)
    match.resign()
    match.end(.left, by: .x)
    return match
  }

  var replay: Replay { Replay(match: "zrg3", events: events) }

  /// The lines of the exported file.
  var lines: String {
    events.map { ScriptedServer.text(of: $0) + "\n" }.joined()
  }

  mutating func add(_ body: MatchEvent.Body) {
    events.append(.match(MatchEvent(match: "zrg3", seq: events.count + 1, body)))
  }

  mutating func begin() {
    board = game.board
    add(
      .gameDidStart(
        GameState(
          game: game.id, players: players, board: board, score: score, timeLeft: .seconds(30))))
  }

  mutating func beginNext() {
    players = players.swapped
    score = score.swapped
    begin()
  }

  /// Makes a move, and ends the game if the move does. The number of the cell counts from 1.
  mutating func move(_ number: Int) {
    guard let mark = board.turn else { preconditionFailure("The game is over.") }
    do throws(MoveError) {
      let change = try board.place(mark, at: board.shape.cell(at: number - 1))
      add(.boardDidChange(change, timeLeft: .seconds(30)))
    } catch {
      preconditionFailure("The move \(number) is refused: \(error).")
    }
    if let outcome = board.outcome { end(with: outcome) }
  }

  /// The player to move resigns.
  mutating func resign() {
    guard let mark = board.turn else { return }
    end(with: Outcome(winner: mark.other, reason: .resigned))
  }

  mutating func say(_ text: String, from name: String) {
    add(.didSay(from: name, mark: players.x == name ? .x : .o, text: text))
  }

  mutating func end(_ reason: MatchEndReason, by mark: Mark?) {
    add(.matchDidEnd(reason, by: mark, score))
  }

  /// Leaves out an event.
  mutating func lose(_ index: Int) {
    events.remove(at: index)
  }

  private mutating func end(with outcome: Outcome) {
    score.count(outcome)
    add(.gameDidEnd(outcome, score))
  }
}
