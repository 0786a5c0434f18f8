import RIBs
import Shared

/// The root's view on the full screen. It shows one view at a time, which gets the keys. Over that
/// view it draws the news of the match, and the list of keys when the person presses `?`.
final class RootView: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  private let screen: Screen
  private var shown: (any ScreenView)?
  private var news = NewsScene() { didSet { if news != oldValue { screen.setNeedsDisplay() } } }
  /// The list of keys; `nil` while it is hidden.
  private var keyList: KeyList? { didSet { screen.setNeedsDisplay() } }
  /// The question before the program ends; `nil` while none is open.
  private(set) var question: String? { didSet { screen.setNeedsDisplay() } }
  /// All of the chat; `nil` while it is hidden.
  private var chat: ChatList? { didSet { screen.setNeedsDisplay() } }
  /// `Screen.holdCount` when the chat was opened; `nil` once another view has come below it.
  private var holdCount: Int?
  /// Whether the person expects the next view.
  private var isChangeExpected = true
  /// When a match was last on in an earlier view; `nil` if never.
  private var lastMatch: Duration?
  private var hasQuit = false

  /// How long after a match `q` in the lobby still asks, because it may have been meant for the
  /// match.
  static let askTime = Duration.seconds(2)

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ view: any ViewControllable) {
    leave(shown)
    shown = view as? any ScreenView
    keyList = nil
    question = nil
    shown?.show(isConnected: news.news.lostSince == nil)
    shown?.show(hasNews: news.hasNews)
    holdCount = nil
    guard !isChangeExpected else { return screen.setNeedsDisplay() }
    screen.holdKeys()
    if let occasion = shown?.occasion { screen.ring(for: occasion) }
  }

  func show(_ news: MatchNews) {
    if let shown {
      let old = self.news.news
      shown.show(isConnected: news.lostSince == nil)
      let isBack = old.lostSince != nil && news.lostSince == nil
      // What was said about the connection, or about a stop of the server, is over.
      if isBack || old.serverEnd != nil && news.serverEnd == nil { shown.removeNotices() }
      if isBack { shown.showNews("Connected again.") }
      let sentences = news.sentences(since: old, ofLink: false, ofChat: !self.news.isMuted)
      // A screen that is too small has no areas.
      if !screen.size.holds(shown.minimumSize) || shown.newsArea == nil {
        for sentence in sentences { shown.showNews(sentence) }
      }
    }
    self.news.news = news
    shown?.show(hasNews: self.news.hasNews)
    if !self.news.canShowChat { chat = nil }
  }

  func say(_ sentence: String) {
    shown?.say(sentence)
  }

  func confirm(_ sentence: String) {
    shown?.confirm(sentence)
  }

  func warn(_ sentence: String) {
    screen.ring(for: .lowTime)
    shown?.say(sentence)
  }

  func hide(_ view: any ViewControllable) {
    guard shown === view else { return }
    leave(shown)
    shown = nil
    screen.setNeedsDisplay()
  }

  private func leave(_ view: (any ScreenView)?) {
    guard let view else { return }
    lastMatch = view.lastMatch ?? lastMatch
    isChangeExpected = screen.isPressing || view.isAwaitingReply
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
      // The keys appear when they work.
      if screen.isHoldingKeys { frame.writeFooter([]) }
      news.draw(into: &frame, area: shown.newsArea, now: screen.now)
      chat?.draw(
        into: &frame, remarks: news.news.remarks, isMuted: news.isMuted,
        status: summary.joined(separator: " · "), keys: news.keys.filter { $0.keys != "T" })
      if chat != nil { news.drawOverChat(into: &frame, now: screen.now) }
      keyList?.draw(into: &frame)
      if let question { frame.writeQuestion(question) }
    } else {
      let sentence = hasQuit ? "Saying goodbye …" : "One moment …"
      let row = frame.size.rows / 2
      frame.writeCentered(sentence, row: row)
      frame.writeSpinner(at: Position(row: row - 1, column: frame.size.columns / 2))
    }
  }

  func press(_ key: Key) {
    if key == .control("c") { return interrupt() }
    if case .pasted(let character) = key { return paste(character) }
    if question != nil {
      question = nil
      return key == .character("y") ? quit() : ()
    }
    if keyList?.press(key, in: screen.size) == true { return }
    if let list = keyList {
      keyList = nil
      guard case .press(let position) = key, let key = list.key(at: position, in: screen.size)
      else { return }
      return press(key)
    }
    switch news.press(key) {
    case .used: return
    case .say(let text): return listener?.say(text) ?? ()
    case .unused: break
    }
    if chat != nil { return pressInChat(key) }
    if !screen.isHoldingKeys { pressInView(key) }
  }

  func willSuspend() {
    listener?.willSuspend()
  }

  func didContinue() {
    listener?.didContinue()
  }

  private func pressInView(_ key: Key) {
    switch shown?.press(key) ?? .unused {
    case .used: break
    case .leaveGame: listener?.leaveGame()
    case .quit: if isAfterMatch { question = "End the program?" } else { quit() }
    case .unused where key == .character("t"): news.beginWriting()
    case .unused where key == .character("T"): openChat()
    case .unused where key == .character("m"): changeMute()
    case .unused where key == .character("b"): changeBell()
    case .unused:
      guard key == .character("?"), let shown else { return }
      keyList = KeyList(keys(of: shown))
    }
  }

  private func openChat() {
    guard news.canShowChat else { return }
    chat = ChatList()
    holdCount = screen.holdCount
  }

  private func pressInChat(_ key: Key) {
    if key == .character("t"), news.news.isInMatch { return news.beginWriting() }
    if key == .character("m") { return changeMute() }
    guard chat?.press(key, remarks: news.news.remarks, in: screen.size) == false else { return }
    chat = nil
    // What the chat has hidden may have changed.
    if holdCount != screen.holdCount { screen.holdKeysFromNow() }
  }

  /// Pasted text goes to a text field, and nowhere else.
  private func paste(_ character: Character) {
    if news.draft != nil {
      _ = news.press(.character(character))
    } else if chat != nil {
      return
    } else if isTypingInView, !screen.isHoldingKeys {
      _ = shown?.press(.character(character))
    }
  }

  /// Ends the program. If that loses a game, the first Ctrl-C only asks.
  private func interrupt() {
    guard question == nil, !hasQuit, let asked = shown?.quitQuestion else { return quit() }
    keyList = nil
    news.stopWriting()
    // One question at a time.
    if shown?.isAsking == true { _ = shown?.press(.escape) }
    question = asked
  }

  /// Whether a match was on a moment ago.
  private var isAfterMatch: Bool {
    (shown?.lastMatch ?? lastMatch).map { screen.now - $0 < Self.askTime } ?? false
  }

  private func changeMute() {
    guard news.news.isInMatch else { return }
    news.isMuted.toggle()
    shown?.show(hasNews: news.hasNews)
    shown?.showNews(news.isMuted ? "Chat is muted." : "Chat is shown again.")
  }

  private func changeBell() {
    screen.bell.isOn.toggle()
    shown?.say("The bell is \(screen.bell.isOn ? "on" : "off").")
  }

  /// What a person must know even where the view cannot be seen.
  var summary: [String] {
    let times = news.timeLeft(at: screen.now).map { ["Time: \($0.clock)"] } ?? []
    let lost = news.news.lossTexts(at: screen.now).first
    return [lost].compactMap(\.self) + (shown?.summary ?? []) + times
  }

  var spoken: [String] {
    [question, news.news.lossText].compactMap(\.self) + (shown?.spoken ?? [])
  }

  var isTyping: Bool { news.draft != nil || chat == nil && isTypingInView }

  var usesTab: Bool {
    shown?.usesTab == true && question == nil && keyList == nil && chat == nil && news.draft == nil
  }

  var isOwnTurn: Bool { shown?.isOwnTurn == true }

  var link: String? { shown?.link }

  private var isTypingInView: Bool {
    shown?.isTyping == true && question == nil && keyList == nil
  }

  var summaryKeys: [KeyHelp] {
    guard question == nil, !isViewAsking else {
      return [KeyHelp("y", "yes"), KeyHelp("any other key", "no")]
    }
    return [shown?.leaveKey, KeyHelp("Ctrl-C", "quit")].compactMap(\.self)
  }

  /// Only the keys of the summary count: they answer a question, or leave the view.
  func pressInSummary(_ key: Key) {
    if case .pasted = key { return }
    (keyList, chat) = (nil, nil)
    news.stopWriting()
    guard question == nil, !isViewAsking else { return press(key) }
    guard shown?.leaveKey != nil else { return }
    if key == .escape || key == .character("q") && shown?.isTyping != true { press(key) }
  }

  private var isViewAsking: Bool { shown?.isAsking == true && shown?.isTyping != true }

  private func keys(of view: any ScreenView) -> [KeyHelp] {
    let talk =
      news.news.match.map { match in
        [
          KeyHelp("t", "send a message to everyone in the match"),
          KeyHelp("m", news.isMuted ? "show chat again" : "mute chat"),
          KeyHelp("--watch \(match)", "lets a friend watch this match"),
        ]
      } ?? []
    let chat =
      news.canShowChat ? [KeyHelp("T", "read all messages of the match, also the last one's")] : []
    return view.keys + talk + chat + [
      KeyHelp("b", screen.bell.isOn ? "turn the bell off" : "turn the bell on"),
      KeyHelp("Ctrl-C", "end the program"), KeyHelp("Ctrl-Z", "suspend the program"),
    ]
  }
}
