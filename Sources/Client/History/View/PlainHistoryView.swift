import Shared

/// Finished games in plain lines, one page after another. The commands of the lobby stay at hand.
final class PlainHistoryView: HistoryViewControllable, ConsoleChild {
  weak var listener: (any HistoryPresentableListener)?
  weak var parent: (any ConsoleView)?
  private let console: Console
  /// The number of games that have been written.
  private var written = 0
  private var hasMore = false

  init(console: Console) {
    self.console = console
  }

  func show(_ history: History) {
    hasMore = history.next != nil
    switch history.state {
    case .loading: return
    case .failed(let sentence): console.say(sentence)
    case .loaded: write(history)
    }
    _ = parent?.didType("")
  }

  private func write(_ history: History) {
    guard !history.items.isEmpty else {
      return console.say("\(history.title): there are no finished games.")
    }
    if written == 0 { console.say("\(history.title), the latest first:") }
    for item in history.items.dropFirst(written) {
      console.say(
        "  \(item.match)  \(item.result(for: history.player)), \(history.gameName(of: item)):"
          + " \(item.end), \(item.when)")
    }
    written = history.items.count
    console.say(
      "To see a match again, type: replay ID" + (hasMore ? "; for older games, type: more" : ""))
  }
}

extension PlainHistoryView: ConsoleView {
  func didType(_ line: String) -> Bool {
    guard TypedLine(line).onlyCommand == "more" else { return false }
    if hasMore {
      listener?.loadMore()
    } else {
      console.say("There are no older games.")
      _ = parent?.didType("")
    }
    return true
  }
}
