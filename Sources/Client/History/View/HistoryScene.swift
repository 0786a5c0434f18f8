import Shared

/// Finished games on the screen: a pure value that can be drawn.
struct HistoryScene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case show(HistoryOwner)
    case loadMore
    case replay(HistoryItem)
    case close
  }

  var history: History? {
    didSet {
      if history?.owner != oldValue?.owner { selected = 0 }
      selected = min(selected, max(0, (history?.items.count ?? 0) - 1))
    }
  }
  /// The latest of them is shown.
  var notices = Notices()
  /// The index of the selected game.
  private(set) var selected = 0
  /// The name that the person is typing; `nil` while there is none.
  private(set) var name: TextField?

  private var items: [HistoryItem] { history?.items ?? [] }
}

/// The keys.
extension HistoryScene {
  /// Returns the action of the key, if there is one, and whether the key has a meaning here. `size`
  /// is the size of the screen, for mouse clicks and pages.
  mutating func press(_ key: Key, in size: Size) -> (action: Action?, isUsed: Bool) {
    if name != nil { return (pressInName(key), true) }
    let page = max(2, listRows(in: size)) - 1
    if let steps = key.scrollRows(page: page, count: items.count) { return (move(by: steps), true) }
    switch key {
    case .enter, .character(" "):
      return (items.isEmpty ? nil : .replay(items[selected]), true)
    case .press(let position):
      let index = first(in: size) + position.row - Self.listTop
      guard (0..<listRows(in: size)).contains(position.row - Self.listTop),
        items.indices.contains(index)
      else { return (nil, true) }
      selected = index
      return (.replay(items[index]), true)
    case .tab: return (.show(history?.owner == .mine ? .everyone : .mine), true)
    case .character("/"): name = TextField(maxLength: ProtocolLimits.maxNameLength)
    case .character("q"), .escape: return (.close, true)
    default: return (nil, false)
    }
    return (nil, true)
  }

  private mutating func pressInName(_ key: Key) -> Action? {
    switch key {
    case .escape: name = nil
    case .enter:
      let text = name?.text.trimmed ?? ""
      name = nil
      if !text.isEmpty { return .show(.player(text)) }
    default: _ = name?.press(key)
    }
    return nil
  }

  /// Moves the selection. At the end it asks for older games.
  private mutating func move(by steps: Int) -> Action? {
    selected = min(max(0, selected + steps), max(0, items.count - 1))
    let isAtEnd = selected == items.count - 1
    return isAtEnd && history?.next != nil && steps > 0 ? .loadMore : nil
  }

  var keys: [KeyHelp] {
    [
      KeyHelp("arrows, j k", "choose a game; older ones follow at the end"),
      KeyHelp("PageUp, PageDown", "go up or down a page"),
      KeyHelp("Home, End", "go to the first or the last game"),
      KeyHelp("Enter, Space", "show the match again, from this game on"),
      KeyHelp("Tab", "your games, or those of everyone"),
      KeyHelp("/", "the games of a player"), KeyHelp("q, Esc", "go back"),
    ]
  }

  private var footer: [KeyHelp] {
    guard name == nil else { return [KeyHelp("Enter", "show"), KeyHelp("Esc", "cancel")] }
    return [
      KeyHelp("Enter", "replay"), KeyHelp("Tab", history?.owner == .mine ? "everyone's" : "yours"),
      KeyHelp("/", "a player's"), KeyHelp("Esc", "back"), KeyHelp("?", "keys"),
    ]
  }
}

/// The drawing.
extension HistoryScene {
  private static let listTop = 2
  /// The rows of the header and the footer, with one below each, and of the notice.
  private static let otherRows = 5
  /// The width from which a row also shows the game and the end.
  private static let wideColumns = 70

  private func listRows(in size: Size) -> Int { max(0, size.rows - Self.otherRows) }

  /// The index of the top row.
  private func first(in size: Size) -> Int {
    let rows = listRows(in: size)
    return min(max(0, selected - rows / 2), max(0, items.count - rows))
  }

  func draw(into frame: inout Frame) {
    guard let history else { return }
    frame.writeHeader("History", history.title)
    let (rows, first) = (listRows(in: frame.size), first(in: frame.size))
    for (index, item) in items.enumerated().dropFirst(first).prefix(rows) {
      draw(item, isSelected: index == selected, into: &frame, row: Self.listTop + index - first)
    }
    let edge = frame.size.columns - 1
    let goesOn = first + rows < items.count || history.next != nil
    frame.writeScrollSigns(
      up: first > 0 ? Self.listTop : nil, down: goesOn ? Self.listTop + rows - 1 : nil,
      column: edge)
    if items.isEmpty, history.state == .loaded {
      frame.write("There are no finished games.", at: Position(row: Self.listTop, column: 2))
    }
    drawBottom(of: history, into: &frame)
    frame.writeFooter(footer)
  }

  private func draw(_ item: HistoryItem, isSelected: Bool, into frame: inout Frame, row: Int) {
    guard let history else { return }
    let style = isSelected ? Style.reversed : .plain
    let columns = frame.size.columns - 2
    frame.fill(
      at: Position(row: row, column: 1), size: Size(rows: 1, columns: columns), style: style)
    if isSelected { frame.put("▸", at: Position(row: row, column: 1), style: style) }
    let end = frame.size.columns - 2
    let used = frame.writeTrailing(item.when, row: row, before: end, style: style)
    let isWide = columns >= Self.wideColumns
    let room = isWide ? columns * 3 / 8 : end - used - 5
    frame.write(
      item.result(for: history.player), at: Position(row: row, column: 3), style: style,
      width: room)
    guard isWide else { return }
    frame.write(
      "\(history.gameName(of: item)): \(item.end)",
      at: Position(row: row, column: 5 + room), style: style, width: end - used - room - 7)
  }

  /// Draws what happens, or else the rest of the selected game.
  private func drawBottom(of history: History, into frame: inout Frame) {
    let position = Position(row: frame.size.rows - 2, column: 2)
    let room = frame.size.columns - 4
    if let name {
      let label = "Whose games: "
      let visible = name.visible(in: room - label.count)
      frame.write(label + visible.text, at: position, style: .bold)
      frame.cursor = Position(
        row: position.row, column: position.column + label.count + visible.cursorColumn)
    } else if let notice = notices.latest {
      frame.hasClock = true
      frame.write(notice, at: position, style: .bold, width: room)
    } else if case .failed(let sentence) = history.state {
      frame.write(sentence, at: position, style: Style(color: .red, isBold: true), width: room)
    } else if history.state == .loading {
      frame.writeSpinner(at: position)
      frame.write("Asking the server …", at: Position(row: position.row, column: 4))
    } else if items.indices.contains(selected) {
      let item = items[selected]
      frame.write(
        "Match \(item.match), \(history.gameName(of: item)): \(item.end)", at: position,
        style: .dim, width: room)
    }
  }
}
