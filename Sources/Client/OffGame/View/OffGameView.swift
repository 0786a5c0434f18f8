import RIBs
import Shared

/// OffGame on the full screen.
final class OffGameView: OffGameViewControllable {
  weak var listener: (any OffGamePresentableListener)?
  let showsLists: Bool
  private let screen: Screen
  /// The view of a child, which is shown instead.
  private var child: (any ScreenView)? { didSet { screen.setNeedsDisplay() } }
  private var scene: OffGameScene {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }
  /// Whether the first status has been shown.
  private var hasStatus = false
  /// Whether the person has asked to watch, to leave or to stop waiting, and nothing has followed.
  private var hasAsked = false
  /// Selects the first item of a list that has been shown for a moment.
  private var selectionTimer: LoopTimer?
  /// When the person last confirmed something.
  private var confirmationTime: Duration?
  /// When a match ended while this view was shown.
  private var matchEnd: Duration?

  init(screen: Screen, names: [String], lastGame: LastGame?) {
    self.screen = screen
    scene = OffGameScene(names: names, lastGame: lastGame)
    showsLists = !scene.isLocal
  }

  func show(_ view: any ViewControllable) {
    child = view as? any ScreenView
    child?.show(isConnected: scene.isConnected)
  }

  func hide(_ view: any ViewControllable) {
    if child === view { child = nil }
  }

  func show(_ nameStatus: NameStatus) {
    scene.nameStatus = nameStatus
  }

  func show(_ series: Series?) {
    scene.series = series
  }

  func show(_ status: LobbyStatus, since: Duration?, offers: [Offer]) {
    let isNew = !hasStatus || status != scene.status
    if hasStatus, isNew, !isAwaitingReply { screen.holdKeys() }
    if scene.isInMatch { matchEnd = screen.now }
    hasStatus = true
    hasAsked = false
    scene.show(status, since: since, offers: offers)
    if isNew { selectFirstLater() }
  }

  /// The selection appears when the keys work that were meant for this list.
  private func selectFirstLater(after time: Duration = Screen.holdTime) {
    selectionTimer?.cancel()
    selectionTimer = screen.after(time) { [weak self] in
      guard let self else { return }
      guard let rest = screen.holdTimeLeft else { return scene.selectFirst() }
      selectFirstLater(after: rest)
    }
  }

  func show(_ game: GameInfo?, _ level: BotLevel?) {
    scene.choose(game, level)
  }

  func show(_ invitations: [Invitation]) {
    let isKnown = { (new: Invitation) in
      self.scene.invitations.contains { $0.from == new.from && $0.game == new.game }
    }
    if let new = invitations.last(where: { !isKnown($0) }) {
      screen.ring(for: .invitation)
      let game = scene.gameName(new.game)
      // It hides the lobby.
      child?.say("\(new.from) invites you to \(game). To answer, go back to the lobby.")
    }
    scene.invitations = invitations
  }

  func show(_ players: PlayerList) {
    scene.players = players
  }

  func show(_ matches: MatchList) {
    scene.matches = matches
  }

  func showRequest(_ action: LaunchAction) {
    if case .start(let opponent, _, _) = action { scene.request = opponent }
  }

  /// Does nothing, because the screen draws a clock.
  func show(waitingFor duration: Duration) {}

  func say(_ sentence: String) {
    hasAsked = false
    scene.say(sentence.withoutTyping, at: screen.now)
    child?.say(sentence)
  }
}

extension OffGameView: ScreenView {
  var minimumSize: Size { child?.minimumSize ?? GameLayout.minimumSize }
  var newsArea: Area? { child == nil ? scene.newsArea(in: screen.size) : nil }
  var summary: [String] { child?.summary ?? scene.summary }
  var spoken: [String] { child?.spoken ?? scene.spoken }
  var leaveKey: KeyHelp? {
    child?.leaveKey ?? KeyHelp("q", scene.isInMatch ? "leave" : "quit")
  }
  var isAsking: Bool { child?.isAsking ?? (scene.offer != nil) }
  var isTyping: Bool {
    child?.isTyping ?? ((scene.filter != nil || scene.code != nil) && scene.offer == nil)
  }
  var usesTab: Bool { child?.usesTab == true }
  var link: String? { child == nil ? scene.friend?.line : nil }
  var keys: [KeyHelp] { child?.keys ?? scene.keys }
  var isAwaitingReply: Bool { scene.request != nil || hasAsked }
  var lastMatch: Duration? {
    scene.isInMatch || scene.shownGame != nil ? screen.now : matchEnd
  }

  func show(isConnected: Bool) {
    scene.isConnected = isConnected
    child?.show(isConnected: isConnected)
  }

  func showNews(_ news: String) {
    scene.say(news, at: screen.now)
    child?.showNews(news)
  }

  func show(hasNews: Bool) {
    scene.hasNews = hasNews
  }

  func removeNotices() {
    scene.notices.removeAll()
    child?.removeNotices()
  }

  func confirm(_ sentence: String) {
    confirmationTime = screen.now
    scene.confirmation = sentence
    child?.confirm(sentence)
  }

  func draw(into frame: inout Frame) {
    scene.notices.expire(at: screen.now)
    if let confirmationTime, screen.now - confirmationTime >= Notices.showTime {
      scene.confirmation = nil
    }
    guard let child else { return scene.draw(into: &frame, now: screen.now) }
    child.draw(into: &frame)
  }

  func press(_ key: Key) -> KeyEffect {
    if let child { return child.press(key) }
    scene.confirmation = nil
    scene.notices.didPress(at: screen.now)
    let (action, isUsed) = scene.press(key, in: screen.size, at: screen.now)
    switch action {
    case .watch, .open, .join, .cancel, .leave: hasAsked = true
    default: break
    }
    guard let action else { return isUsed ? .used : .unused }
    if action == .quit { return .quit }
    listener?.perform(action)
    return .used
  }
}
