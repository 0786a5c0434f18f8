import Shared

/// What a replay draws around its game: a pure value.
struct ReplayScene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case togglePause
    /// Goes some steps forward or back.
    case go(Int)
    /// Goes some games forward or back.
    case goToGame(Int)
    case goToMove(Int)
    case goToEnd
    case faster, slower
    case close
  }

  /// `nil` before the replay has begun.
  var state: ReplayState?
  var news = NewsScene()
  /// A sentence about the match.
  var sentence: String?
  /// The latest of them is shown instead of the sentence.
  var notices = Notices()
  /// The number of a move that the person is typing; `nil` while there is none.
  private(set) var number: TextField?

  /// Enough for the number of any move.
  private static let maxDigits = 7
}

/// The keys.
extension ReplayScene {
  /// Returns the action of the key, if there is one, and whether the key has a meaning here.
  mutating func press(_ key: Key) -> (action: Action?, isUsed: Bool) {
    if number != nil { return (pressInNumber(key), true) }
    switch key {
    case .character(" "): return (.togglePause, true)
    case .left, .character("h"): return (.go(-1), true)
    case .right, .character("l"): return (.go(1), true)
    case .character("n"): return (.goToGame(1), true)
    case .character("p"): return (.goToGame(-1), true)
    case .home: return (.goToMove(0), true)
    case .end: return (.goToEnd, true)
    case .up, .character("+"), .character("k"): return (.faster, true)
    case .down, .character("-"), .character("j"): return (.slower, true)
    case .character("q"), .escape: return (.close, true)
    case .character("g"): number = TextField(maxLength: Self.maxDigits)
    default: return (nil, false)
    }
    return (nil, true)
  }

  private mutating func pressInNumber(_ key: Key) -> Action? {
    switch key {
    case .escape: number = nil
    case .enter:
      defer { number = nil }
      return number.flatMap { Int($0.text) }.map { .goToMove($0) }
    case .character(let character) where !("0"..."9").contains(character): break
    default: _ = number?.press(key)
    }
    return nil
  }

  static let keys = [
    KeyHelp("Space", "pause, or go on; at the end, begin again"),
    KeyHelp("left, right, h l", "go a step back, or forward"),
    KeyHelp("n, p", "go to the next game, or to the previous one"),
    KeyHelp("up, down, + -", "play faster, or slower"), KeyHelp("g", "go to a move by its number"),
    KeyHelp("Home, End", "go to the beginning, or to the end"),
    KeyHelp("q, Esc", "leave the replay"),
  ]

  private var spaceText: String {
    if state?.isAtEnd == true { return "begin again" }
    return state?.isPaused == true ? "go on" : "pause"
  }

  private var footer: [KeyHelp] {
    guard number == nil else { return [KeyHelp("Enter", "go"), KeyHelp("Esc", "cancel")] }
    var keys = [KeyHelp("Space", spaceText), KeyHelp("← →", "step")]
    if (state?.gameCount ?? 0) > 1 { keys.append(KeyHelp("n p", "game")) }
    return keys + [
      KeyHelp("+ -", "speed"), KeyHelp("g", "go to"), KeyHelp("q", "leave"), KeyHelp("?", "keys"),
    ]
  }
}

/// The drawing.
extension ReplayScene {
  /// Draws over the game. `newsArea` is the part of the screen that the game leaves free.
  func draw(into frame: inout Frame, newsArea: Area?, now: Duration) {
    if !notices.isEmpty { frame.hasClock = true }
    drawSentence(into: &frame, in: newsArea)
    var chat = news
    // The line about the replay names the match.
    chat.news.match = nil
    chat.draw(into: &frame, area: chatArea(in: newsArea), now: now)
    let row = frame.size.rows - 2
    frame.fill(at: Position(row: row, column: 0), size: Size(rows: 1, columns: frame.size.columns))
    if let number {
      let label = "Go to move: "
      frame.write(label + number.text, at: Position(row: row, column: 1), style: .bold)
      frame.cursor = Position(row: row, column: 1 + label.count + number.cursor)
    } else {
      frame.cursor = nil
      let room = frame.size.columns - 2
      let text = texts.first { TextWidth.columns(of: $0) <= room } ?? texts.last ?? ""
      frame.write(
        text, at: Position(row: row, column: 1),
        style: state?.damage == nil ? .bold : Style(color: .red, isBold: true), width: room)
    }
    frame.writeFooter(footer)
  }

  private var shownSentence: String? { notices.latest ?? sentence }

  /// What a person needs first, for a terminal that is too small.
  var summary: String { shownSentence ?? texts.last ?? "" }

  private func sentenceLines(_ area: Area?) -> [String] {
    guard let sentence = shownSentence, let area, area.size.columns >= 4 else { return [] }
    return sentence.wrapped(to: area.size.columns)
  }

  private func drawSentence(into frame: inout Frame, in area: Area?) {
    guard let area else {
      guard let sentence = shownSentence else { return }
      frame.writeCentered(sentence, row: frame.size.rows / 2)
      return
    }
    for (index, line) in sentenceLines(area).prefix(area.size.rows).enumerated() {
      frame.write(
        line, at: Position(row: area.corner.row + index, column: area.corner.column))
    }
  }

  /// The rest of the area, without the row of the line about the replay.
  private func chatArea(in area: Area?) -> Area? {
    guard var area else { return nil }
    let taken = sentenceLines(area).count
    area.corner.row += taken
    area.size.rows = max(0, area.size.rows - taken - 1)
    return area
  }

  /// The line that says where the replay is, the longest text first.
  private var texts: [String] {
    guard let state else { return [] }
    let (move, count) = (state.move, state.moveCount)
    let speed = String(format1: state.interval)
    let end =
      if state.isAtEnd {
        state.isComplete ? ", at the end" : ", the rest is missing"
      } else {
        (state.isPaused ? ", paused" : "") + (state.damage == nil ? "" : ", damaged")
      }
    let short = "\(move) of \(count), \(speed) s\(end)"
    if let damage = state.damage, state.isAtEnd { return [damage, "Damaged after move \(move)."] }
    let game =
      state.gameCount > 1 ? "game \(state.game + 1) of \(state.gameCount), " : ""
    return [
      "Replay of \(state.match), \(game)move \(move) of \(count), \(speed) s a move\(end)",
      "\(state.match), \(game)move \(short)", "\(game)move \(short)".capitalizedFirst,
      "Move \(short)",
    ]
  }
}

extension String {
  /// The text with a capital letter at its beginning.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// Seconds with one decimal place, such as `0.5`.
  fileprivate init(format1 duration: Duration) {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    self = "\(tenths / 10).\(tenths % 10)"
  }
}
