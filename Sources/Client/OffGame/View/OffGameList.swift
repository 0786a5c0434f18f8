import Shared

/// A list with up to one selected row, in a part of the screen. A long list scrolls with the
/// selection.
struct OffGameList: Equatable {
  struct Row: Equatable {
    /// `nil` if the row cannot be chosen.
    var item: OffGameItem?
    var text = ""
    /// The rest of the text, such as what a player does after the player's name. If both do not
    /// fit, it is cut first.
    var tail = ""
    /// A note at the right end.
    var remark = ""
    /// What is drawn where both do not fit; `nil` cuts them.
    var short: Short?

    struct Short: Equatable {
      let text: String
      var tail = ""
      let remark: String
    }
  }

  /// The width of a row whose text and remark fit into it, so that a remark stays near its text.
  private static let usualColumns = 48
  /// The columns that a tail keeps beside a long text.
  private static let minTailColumns = 6
  /// The columns that a remark keeps beside a long text and tail: enough for the time that is left,
  /// and for a score after a short name of a game.
  private static let minRemarkColumns = 11

  let rows: [Row]
  let selection: OffGameItem?
  let corner: Position
  let size: Size

  func item(at position: Position) -> OffGameItem? {
    let row = position.row - corner.row
    let columns = corner.column..<corner.column + width
    guard (0..<size.rows).contains(row), columns.contains(position.column),
      rows.indices.contains(first + row)
    else { return nil }
    return rows[first + row].item
  }

  func draw(into frame: inout Frame) {
    for (index, row) in rows.dropFirst(first).prefix(size.rows).enumerated() {
      draw(row, into: &frame, at: Position(row: corner.row + index, column: corner.column))
    }
    frame.writeScrollSigns(
      up: first > 0 ? corner.row : nil,
      down: first + size.rows < rows.count ? corner.row + size.rows - 1 : nil,
      column: corner.column + width)
  }

  /// As wide as the longest row needs, if there is room.
  private var width: Int {
    let needed = rows.filter { $0.item != nil }.map { $0.columns + 3 }.max() ?? 0
    return min(size.columns, max(Self.usualColumns, needed))
  }

  /// The index of the top row. The list scrolls no further than the selection needs.
  private var first: Int {
    let index = rows.firstIndex { $0.item != nil && $0.item == selection } ?? 0
    return min(max(0, index - size.rows + 1), max(0, rows.count - size.rows))
  }

  private func draw(_ row: Row, into frame: inout Frame, at start: Position) {
    // A text that cannot be chosen may be longer than the others.
    let width = row.item == nil && row.remark.isEmpty ? size.columns : width
    let row = row.fitting(width - 3)
    let isSelected = row.item != nil && row.item == selection
    let style = isSelected ? Style.reversed : row.item == nil ? .dim : .plain
    frame.fill(at: start, size: Size(rows: 1, columns: width), style: style)
    if isSelected { frame.put("▸", at: start, style: style) }
    let indent = row.item == nil ? 0 : 2
    // The tail gives up columns first, then the remark, and last the text, which may be a name.
    let room = width - indent - (row.remark.isEmpty ? 0 : 3)
    let tail = TextWidth.columns(of: row.tail)
    let remark = TextWidth.columns(of: row.remark)
    let keptRemark = min(remark, Self.minRemarkColumns)
    let textRoom = room - min(tail, Self.minTailColumns) - keptRemark
    var used = frame.write(
      row.text, at: Position(row: start.row, column: start.column + indent), style: style,
      width: textRoom)
    used += frame.write(
      row.tail, at: Position(row: start.row, column: start.column + indent + used), style: style,
      width: room - used - keptRemark)
    let remarkRoom = min(room - used, remark)
    frame.write(
      row.remark, at: Position(row: start.row, column: start.column + width - 1 - remarkRoom),
      style: isSelected ? .reversed : .dim, width: remarkRoom)
  }
}

extension OffGameList.Row {
  /// The columns of the whole row.
  fileprivate var columns: Int {
    TextWidth.columns(of: text) + TextWidth.columns(of: tail)
      + (remark.isEmpty ? 0 : 2 + TextWidth.columns(of: remark))
  }

  /// The row as it fits into some columns best.
  fileprivate func fitting(_ columns: Int) -> OffGameList.Row {
    guard let short, self.columns > columns else { return self }
    return OffGameList.Row(
      item: item, text: short.text, tail: short.tail, remark: short.remark)
  }
}

/// An item of OffGame's list. It does not depend on its position, so a selection stays on its
/// player when the list around it changes.
enum OffGameItem: Hashable {
  case accept(from: String, game: String)
  case anyone
  case bot
  /// Waits for a friend.
  case friend
  /// Asks for a friend's code.
  case enterCode
  case player(String)
  /// The id of the match.
  case watch(String)
  case nextGame
  /// The id of a game, in the list of games.
  case game(String)
  case cancel
  case leaveMatch
}

/// The selected item of a list that changes. Only keys move the selection. Nothing is selected in a
/// new list, or after the selected item has been removed, so a key press never starts something
/// that has just appeared there.
struct OffGameSelection: Equatable {
  private var item: OffGameItem?
  /// The item's last index in the list.
  private var lastIndex = 0

  func item(in items: [OffGameItem]) -> OffGameItem? {
    item.flatMap { items.contains($0) ? $0 : nil }
  }

  mutating func select(_ item: OffGameItem, in items: [OffGameItem]) {
    self.item = item
    lastIndex = items.firstIndex(of: item) ?? 0
  }

  /// Moves within the list. If nothing is selected, selects the item at the last index.
  mutating func move(by steps: Int, in items: [OffGameItem]) {
    guard !items.isEmpty else { return }
    let index = item(in: items).flatMap { items.firstIndex(of: $0) }.map { $0 + steps } ?? lastIndex
    select(items[min(max(0, index), items.count - 1)], in: items)
  }
}
