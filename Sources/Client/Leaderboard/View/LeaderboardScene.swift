import Shared

/// The best players of a game on the screen: a pure value that can be drawn.
struct LeaderboardScene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case showGame(Int)
    case close
  }

  /// The names of the people at this client.
  let names: [String]
  private(set) var game = ""
  private(set) var items: [LeaderboardItem] = []
  private(set) var isLoading = true
  private(set) var error: String?
  private(set) var isChoice = false
  /// The latest of them is shown.
  var notices = Notices()
  /// The index of the top row.
  private(set) var first = 0

  init(names: [String]) {
    self.names = names
  }

  mutating func show(_ list: Result<Leaderboard, RequestError>?, of game: String, isChoice: Bool) {
    self.game = game
    self.isChoice = isChoice
    isLoading = list == nil
    (first, items, error) = (0, [], nil)
    switch list {
    case .success(let list): items = list.items
    case .failure(let error): self.error = error.sentence
    case nil: break
    }
  }
}

/// The keys.
extension LeaderboardScene {
  /// Returns the action of the key, if there is one, and whether the key has a meaning here. `size`
  /// is the size of the screen, for pages.
  mutating func press(_ key: Key, in size: Size) -> (action: Action?, isUsed: Bool) {
    let rows = listRows(in: size)
    if let steps = key.scrollRows(page: rows - 1, count: items.count) {
      first = min(max(0, first + steps), max(0, items.count - rows))
      return (nil, true)
    }
    switch key {
    case .left, .backTab, .character("h"): return (isChoice ? .showGame(-1) : nil, true)
    case .right, .tab, .character("l"), .character("g"):
      return (isChoice ? .showGame(1) : nil, true)
    case .character("q"), .escape: return (.close, true)
    default: return (nil, false)
    }
  }

  var keys: [KeyHelp] {
    (isChoice ? [KeyHelp("left, right, h l", "show another game")] : [])
      + [
        KeyHelp("arrows, j k", "scroll"), KeyHelp("PageUp, PageDown", "go up or down a page"),
        KeyHelp("Home, End", "go to the first or the last player"), KeyHelp("q, Esc", "go back"),
      ]
  }

  private var footer: [KeyHelp] {
    (isChoice ? [KeyHelp("← →", "another game")] : [])
      + [KeyHelp("↑ ↓", "scroll"), KeyHelp("Esc", "back"), KeyHelp("?", "keys")]
  }
}

/// The drawing.
extension LeaderboardScene {
  private static let listTop = 3
  /// The rows of the header, the titles, the notice and the footer, with those between them.
  private static let otherRows = 5
  /// The width of the table, so that the numbers stay near the names.
  private static let maxColumns = 60
  /// A narrower table has no columns for lost and drawn games.
  private static let minWideColumns = 50
  /// The distances of the right edges of the last three columns from the edge of a wide table.
  private static let edges = (rating: 18, won: 12, lost: 6)

  private func listRows(in size: Size) -> Int { max(1, size.rows - Self.otherRows) }

  func draw(into frame: inout Frame) {
    frame.writeHeader("Leaderboard", game)
    let rows = listRows(in: frame.size)
    let end = min(frame.size.columns - 2, Self.maxColumns)
    if !items.isEmpty {
      drawRow(
        ("", "", "rating", "won", "lost", "drawn"), into: &frame, row: Self.listTop - 1, end: end,
        style: .dim)
    }
    for (index, item) in items.dropFirst(first).prefix(rows).enumerated() {
      drawRow(
        (
          "\(item.rank)", item.name, item.ratingText, "\(item.won)", "\(item.lost)",
          "\(item.drawn)"
        ), into: &frame, row: Self.listTop + index, end: end,
        style: names.contains(item.name) ? .bold : .plain)
    }
    frame.writeScrollSigns(
      up: first > 0 ? Self.listTop : nil,
      down: first + rows < items.count ? Self.listTop + rows - 1 : nil, column: end + 1)
    drawBottom(into: &frame)
    frame.writeFooter(footer)
  }

  private func drawRow(
    _ cells: (rank: String, name: String, rating: String, won: String, lost: String, drawn: String),
    into frame: inout Frame, row: Int, end: Int, style: Style
  ) {
    frame.writeTrailing(cells.rank, row: row, before: 4, style: style)
    let edges = Self.edges
    // The last column of a narrow table is that of the games won.
    let isWide = end >= Self.minWideColumns
    let end = isWide ? end : end + edges.won
    // The names end before the ratings, which have up to six columns.
    frame.write(
      cells.name, at: Position(row: row, column: 6), style: style,
      width: end - edges.rating - 13)
    frame.writeTrailing(cells.rating, row: row, before: end - edges.rating, style: style)
    frame.writeTrailing(cells.won, row: row, before: end - edges.won, style: style)
    guard isWide else { return }
    frame.writeTrailing(cells.lost, row: row, before: end - edges.lost, style: style)
    frame.writeTrailing(cells.drawn, row: row, before: end, style: style)
  }

  private func drawBottom(into frame: inout Frame) {
    let position = Position(row: frame.size.rows - 2, column: 2)
    let room = frame.size.columns - 4
    if let notice = notices.latest {
      frame.hasClock = true
      frame.write(notice, at: position, style: .bold, width: room)
    } else if let error {
      frame.write(error, at: position, style: Style(color: .red, isBold: true), width: room)
    } else if isLoading {
      frame.writeSpinner(at: position)
      frame.write("Asking the server …", at: Position(row: position.row, column: 4))
    } else if items.isEmpty {
      let lines = Self.nobody.wrapped(to: room)
      for (index, line) in lines.enumerated() {
        frame.write(line, at: Position(row: Self.listTop + index, column: 2))
      }
    } else if items.contains(where: \.isProvisional) {
      frame.write(Self.provisional, at: position, style: .dim, width: room)
    }
  }

  static let nobody =
    "Nobody has a rating here. Two registered players who play each other get one."
  static let provisional = "? means only a few rated games."
}
