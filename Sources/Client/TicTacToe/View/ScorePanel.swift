import Shared

/// A small table of the players, their marks and the score of their series.
struct ScorePanel: Equatable {
  static let rows = 3
  /// The maximum width, so that the points stay near the names.
  static let maxColumns = 34

  let series: Series
  /// The mark of the person at this client; `nil` for two people or a spectator.
  var own: Mark?
  /// The mark whose turn it is; `nil` between games.
  var turn: Mark?

  /// The minimum width of a name beside “(you)”.
  private static let minNameColumns = 8

  func draw(into frame: inout Frame, at corner: Position, columns: Int) {
    for (row, mark) in [Mark.x, .o].enumerated() {
      draw(
        mark, into: &frame, at: Position(row: corner.row + row, column: corner.column),
        columns: columns)
    }
    let last = corner.row + 2
    frame.write("draws", at: Position(row: last, column: corner.column + 4), style: .dim)
    frame.writeTrailing(
      String(series.score.draws), row: last, before: corner.column + columns, style: .dim)
  }

  /// Draws both players in one row, without the draws.
  func drawRow(into frame: inout Frame, at corner: Position, columns: Int) {
    let half = min((columns - 2) / 2, Self.maxColumns)
    for (index, mark) in [Mark.x, .o].enumerated() {
      draw(
        mark, into: &frame,
        at: Position(row: corner.row, column: corner.column + index * (half + 2)), columns: half)
    }
  }

  private func draw(_ mark: Mark, into frame: inout Frame, at start: Position, columns: Int) {
    let points = String(mark == .x ? series.score.x : series.score.o)
    if mark == turn { frame.put("▸", at: start, style: .bold) }
    frame.write(
      mark.letter, at: Position(row: start.row, column: start.column + 2), style: mark.style)
    let room = columns - 6 - points.count
    let text = mark == own ? " (you)" : ""
    let nameColumns = min(TextWidth.columns(of: series.players[mark].name), Self.minNameColumns)
    let you = nameColumns + text.count > room ? "" : text
    let style = mark == turn ? Style.bold : .plain
    let used = frame.write(
      series.players[mark].name, at: Position(row: start.row, column: start.column + 4),
      style: style, width: room - you.count)
    frame.write(you, at: Position(row: start.row, column: start.column + 4 + used), style: .dim)
    frame.writeTrailing(points, row: start.row, before: start.column + columns, style: style)
  }
}

extension Series {
  /// Returns the mark of the only person at a seat; `nil` for two people or a spectator. A local
  /// game against the bot has one person.
  func ownMark(at seat: Seat) -> Mark? {
    switch seat {
    case .one(let mark): mark
    case .both: Mark.allCases.first { players[$0.other] == .bot }
    case .none: nil
    }
  }
}
