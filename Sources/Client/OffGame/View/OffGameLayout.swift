import Shared

/// The positions of OffGame's parts on the screen. Until the person goes on, the last game stays
/// where it was, and the other parts share the panel beside it.
struct OffGameLayout: Equatable {
  /// The last game's board; `nil` if it is not shown.
  private(set) var board: BoardLayout?
  /// The result of the last game: a band of one or three rows.
  private(set) var result: Area?
  private(set) var score: Area?
  private(set) var title: Area
  /// The invitation above the list; without rows if there is none.
  private(set) var invitation: Area
  private(set) var list: Area
  private(set) var notices: Area
  /// The rows for the news of the match; may have no rows.
  private(set) var news: Area

  /// The rows that the lobby keeps free below its list, so that a notice does not move it.
  private static let rowsBelow = 6
  private static let largeBandRows = 3
  /// The rows that the news gets at least, if there is some.
  private static let minNewsRows = 4

  /// The lobby, or the end of a game whose board does not fit. `resultLines` is how many lines the
  /// result and its reason need; 0 without a result. A list of up to `maxListRows` leaves the rest
  /// of its rows to the news.
  init(
    in size: Size, resultLines: Int = 0, titleLines: Int, hasInvitation: Bool,
    noticeLines: Int, maxListRows: Int? = nil
  ) {
    let isTight = GameLayout.isTight(size)
    let columns = size.columns - 4
    func area(_ row: Int, _ rows: Int, columns: Int = columns) -> Area {
      Area(corner: Position(row: row, column: 2), size: Size(rows: rows, columns: columns))
    }
    result = resultLines == 0 ? nil : area(1, 1)
    title = area(1 + resultLines, max(1, titleLines))
    invitation = area(title.bottom, hasInvitation ? 1 : 0)
    let top = title.bottom + (isTight && !hasInvitation ? 0 : 1)
    let end = size.rows - (isTight ? 1 : 2)
    notices = area(end - noticeLines, noticeLines, columns: columns + 1)
    let rows = (isTight ? notices.corner.row : size.rows - Self.rowsBelow) - top
    let listRows = min(rows, maxListRows ?? rows)
    list = area(top, listRows)
    let gap = rows - listRows > Self.minNewsRows ? 1 : 0
    news = area(top + listRows + gap, rows - listRows - gap)
  }

  /// The end of a game, or the lobby right after it. `lines` returns how many lines a part needs in
  /// some columns. A list of up to `maxListRows` leaves the rest of its rows to the news.
  ///
  /// Returns `nil` if the board leaves too few rows.
  init?(
    after game: GameInfo, in size: Size, minListRows: Int, maxListRows: Int?,
    lines: (Part, _ columns: Int) -> Int
  ) {
    guard size.holds(GameLayout.minimumSize(for: game, columns: size.columns)) else { return nil }
    let place = GameLayout(game, in: size)
    let (panel, gap) = (place.panel, GameLayout.isTight(size) ? 0 : 1)
    let columns = panel.size.columns
    let (reason, title) = (lines(.reason, columns), lines(.title, columns))
    let invitation = lines(.invitation, columns)
    let needed = 1 + reason + title + invitation + minListRows
    guard needed <= panel.size.rows else { return nil }
    let scoreRows = lines(.score, columns)
    // The notices stand below the board, or at the bottom of the panel.
    let wanted = lines(.notices, place.below.size.columns)
    let isBelow = panel.bottom - wanted >= place.below.corner.row
    let noticeArea = isBelow ? place.below : panel
    let noticeRows = min(
      isBelow ? wanted : lines(.notices, columns), max(1, panel.size.rows - needed))
    let bottom = panel.bottom - noticeRows
    notices = Area(
      corner: Position(row: bottom, column: noticeArea.corner.column),
      size: Size(rows: noticeRows, columns: noticeArea.size.columns))
    var row = panel.corner.row
    func take(_ rows: Int) -> Area {
      defer { row += rows }
      return Area(
        corner: Position(row: row, column: panel.corner.column),
        size: Size(rows: rows, columns: columns))
    }
    // What remains goes to a larger band, then to the score, then to blank rows.
    var spare = bottom - row - needed
    let newsRows = min(max(0, spare), lines(.news, columns) > 0 ? Self.minNewsRows : 0)
    spare -= newsRows
    board = place.board
    let isLarge = gap > 0 && spare >= Self.largeBandRows - 1
    spare -= isLarge ? Self.largeBandRows - 1 : 0
    result = take(isLarge ? Self.largeBandRows : 1)
    row += reason
    if scoreRows > 0, spare >= gap + scoreRows {
      row += gap
      score = take(scoreRows)
      spare -= gap + scoreRows
    }
    row += spare >= gap ? gap : 0
    self.title = take(title)
    self.invitation = take(invitation)
    list = take(min(bottom - row - newsRows, maxListRows ?? .max))
    row += bottom - row >= Self.minNewsRows ? gap : 0
    news = take(bottom - row)
  }

  /// A part whose height depends on what there is to show.
  enum Part {
    case reason, score, title, invitation, notices
    /// The news needs some rows or none.
    case news
  }
}
