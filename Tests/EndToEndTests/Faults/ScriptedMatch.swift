import Shared

@testable import Client

/// A match of which one player has just been moved to its server.
final class ScriptedMatch {
  private var board = Board(.ticTacToe)
  private var events: [Event] = []
  private var tokens = 1

  func reply(to command: Command) -> [Event] {
    switch command {
    case .resume(_, let seq):
      if events.isEmpty {
        add(
          .gameDidStart(
            GameState(
              game: "tictactoe", you: .x, players: PerMark(x: "ann", o: "bob"), board: board,
              score: Score())))
      }
      tokens += 1
      return [.didLogin(name: "ann", token: "t\(tokens)", place: .playing)]
        + events.dropFirst(seq ?? 0)
    case .place(let cell, _):
      let first = events.count
      move(to: cell)
      // The opponent takes the cell above.
      move(to: Cell(row: cell.row - 1, column: cell.column))
      return Array(events.dropFirst(first))
    case .quit:
      return [.bye(.quit)]
    default:
      return [.error(.inMatch)]
    }
  }

  private func move(to cell: Cell) {
    do throws(MoveError) {
      add(.boardDidChange(try board.place(board.turn ?? .x, at: cell)))
    } catch {
      preconditionFailure("The scripted move is refused: \(error).")
    }
  }

  private func add(_ body: MatchEvent.Body) {
    events.append(.match(MatchEvent(match: "m", seq: events.count + 1, body)))
  }
}
