import Shared

/// The root's view on the full screen. It shows one view at a time, which gets the keys. Over that
/// view it draws the news of the match, and the list of keys when the person presses `?`.
final class RootView: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  private let screen: Screen
  private var shown: (any ScreenView)?
  private var news = NewsScene() { didSet { if news != oldValue { screen.setNeedsDisplay() } } }
  private var showsKeys = false
  private var hasQuit = false

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ view: any ViewControllable) {
    shown = view as? any ScreenView
    showsKeys = false
    screen.setNeedsDisplay()
  }

  func show(_ news: MatchNews) {
    if let shown {
      if self.news.news.lostSince != nil, news.lostSince == nil {
        shown.showNews("Connected again.")
      }
      let sentences = news.sentences(
        since: self.news.news, ofLink: false, ofChat: !self.news.isMuted)
      for sentence in sentences { shown.showNews(sentence) }
    }
    self.news.news = news
  }

  func say(_ sentence: String) {
    shown?.say(sentence)
  }

  func hide(_ view: any ViewControllable) {
    if shown === view { shown = nil }
    screen.setNeedsDisplay()
  }

  private func quit() {
    guard !hasQuit else { return }
    hasQuit = true
    listener?.quit()
  }
}

extension RootView: ScreenContent {
  var minimumSize: Size { shown?.minimumSize ?? Size(rows: 1, columns: 20) }

  func draw(into frame: inout Frame) {
    if let shown {
      shown.draw(into: &frame)
      if !shown.isAsking { for key in news.keys { frame.addToFooter(key) } }
      news.draw(into: &frame, area: shown.newsArea, now: screen.now)
      if showsKeys { drawKeys(of: shown, into: &frame) }
    } else {
      let sentence = hasQuit ? "Saying goodbye …" : "One moment …"
      let row = frame.size.rows / 2
      frame.writeCentered(sentence, row: row)
      frame.writeSpinner(at: Position(row: row - 1, column: frame.size.columns / 2))
    }
  }

  func press(_ key: Key) {
    if key == .control("c") { return quit() }
    if showsKeys {
      showsKeys = false
      return screen.setNeedsDisplay()
    }
    switch news.press(key) {
    case .used: return
    case .say(let text): return listener?.say(text) ?? ()
    case .unused: break
    }
    switch shown?.press(key) ?? .unused {
    case .used: break
    case .leaveGame: listener?.leaveGame()
    case .quit: quit()
    case .unused where key == .character("t"): news.beginWriting()
    case .unused where key == .character("m"): changeMute()
    case .unused:
      guard key == .character("?"), shown != nil else { return }
      showsKeys = true
      screen.setNeedsDisplay()
    }
  }

  private func changeMute() {
    guard news.news.isInMatch else { return }
    news.isMuted.toggle()
    shown?.showNews(news.isMuted ? "Chat is muted." : "Chat is shown again.")
  }

  private func drawKeys(of view: any ScreenView, into frame: inout Frame) {
    let talk =
      news.news.match.map { match in
        [
          KeyHelp("t", "send a message to everyone in the match"),
          KeyHelp("m", news.isMuted ? "show chat again" : "mute chat"),
          KeyHelp("--watch \(match)", "lets a friend watch this match"),
        ]
      } ?? []
    let program = [
      KeyHelp("Ctrl-C", "end the program"), KeyHelp("Ctrl-Z", "suspend the program"),
    ]
    let keys = view.keys + talk + program
    let width = keys.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    frame.cursor = nil
    frame.writeDialog(
      keys.map { help in
        let gap = String(repeating: " ", count: width - TextWidth.columns(of: help.keys) + 2)
        return help.keys + gap + help.meaning
      }, title: "Keys · press any key to close")
  }
}
