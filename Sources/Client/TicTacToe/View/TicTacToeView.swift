import Shared

/// A game on the full screen, local or remote.
final class TicTacToeView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private let screen: Screen
  private var scene: TicTacToeScene {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }
  private var repeats: RepeatFilter
  /// Whether the person has resigned or left, and nothing has followed.
  private var hasAsked = false
  /// How long a message stays beside the next one.
  private static let readingTime = Duration.seconds(3)
  /// When the message was shown.
  private var messageTime: Duration?
  /// When the board last changed.
  private var lastChange: Duration

  init(screen: Screen, game: GameInfo, setup: GameSetup) {
    self.screen = screen
    scene = TicTacToeScene(game: game, setup: setup)
    repeats = RepeatFilter(now: screen.now)
    lastChange = screen.now
  }

  func show(_ board: Board) {
    scene.board = board
    boardDidChange()
  }

  func apply(_ change: Change) {
    scene.apply(change)
    boardDidChange()
  }

  private func boardDidChange() {
    if scene.isOnlyOwnTurn { screen.ring(for: .ownTurn(after: screen.now - lastChange)) }
    lastChange = screen.now
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    say(ErrorCode(refusal).message)
  }

  /// In a match, OffGame shows the result next. A replay keeps this view.
  func announce(_ outcome: Outcome) {
    scene.end(with: outcome)
  }

  /// Whether the game is one of a stored match.
  var isReplay: Bool {
    get { scene.isReplay }
    set { scene.isReplay = newValue }
  }
}

extension TicTacToeView: ScreenView {
  var minimumSize: Size { scene.minimumSize(in: screen.size) }
  var summary: [String] { [scene.summary] }
  var spoken: [String] { scene.spoken }
  var isTyping: Bool { scene.cellName != nil }
  var isOwnTurn: Bool { scene.isConnected && scene.outcome == nil && scene.isOwnTurn }
  var keys: [KeyHelp] { scene.keys }
  var newsArea: Area? { scene.newsArea(in: screen.size) }
  var isAsking: Bool { scene.question != nil || scene.cellName != nil }
  var isAwaitingReply: Bool { hasAsked || scene.sent != nil || scene.isOverByOwnMove }
  var lastMatch: Duration? { screen.now }
  var occasion: Bell.Occasion? { scene.seat == .none ? nil : .gameBegan }
  var quitQuestion: String? {
    scene.seat == .none ? nil : "End the program, and lose this game?"
  }

  func show(isConnected: Bool) {
    scene.isConnected = isConnected
  }

  var leaveKey: KeyHelp? { KeyHelp("q", scene.seat == .none ? "stop watching" : "leave") }

  func removeNotices() {
    scene.message = nil
  }

  func say(_ sentence: String) {
    let sentence = sentence.withoutTyping
    // What nobody can have read yet stays.
    if let message = scene.message, let time = messageTime, screen.now - time < Self.readingTime {
      scene.message = "\(message) \(sentence)"
    } else {
      scene.message = sentence
    }
    messageTime = screen.now
    scene.sent = nil
    hasAsked = false
  }

  func draw(into frame: inout Frame) {
    if scene.message != nil {
      frame.hasClock = true
      if screen.now - (messageTime ?? screen.now) >= Notices.showTime { scene.message = nil }
    }
    scene.draw(into: &frame, now: screen.now)
  }

  func press(_ key: Key) -> KeyEffect {
    let isText = scene.cellName != nil && key != .enter
    guard isText || repeats.passes(key, at: screen.now) else { return .used }
    messageTime = screen.now
    let (action, isUsed) = scene.press(key, in: screen.size)
    // A “y” that comes with the other letters of a word is no answer.
    if scene.question != nil { screen.holdKeysFromNow() }
    switch action {
    case .place(let cell):
      scene.sent = TicTacToeScene.SentMove(cell: cell, time: screen.now)
      listener?.place(at: cell, by: nil)
    case .resign:
      hasAsked = true
      listener?.resign(by: nil)
    case .leave:
      hasAsked = true
      return .leaveGame
    case nil: return isUsed ? .used : .unused
    }
    return .used
  }
}

/// Stops keys that were pressed once too often, and would place a mark: Enter and Space right after
/// the game has begun, or after one of them, and a digit that is held.
struct RepeatFilter: Equatable {
  static let quietTime = Duration.milliseconds(500)

  /// The last such key.
  private struct Press: Equatable {
    /// `nil` for the beginning of the game.
    let key: Key?
    let time: Duration
  }

  /// `nil` after any other key.
  private var last: Press?

  init(now: Duration) {
    last = Press(key: nil, time: now)
  }

  mutating func passes(_ key: Key, at now: Duration) -> Bool {
    guard Self.isDigit(key) || Self.isConfirmation(key) else {
      last = nil
      return true
    }
    defer { last = Press(key: key, time: now) }
    guard let last, now - last.time < Self.quietTime else { return true }
    guard Self.isConfirmation(key) else { return last.key != key }
    return last.key.map { !Self.isConfirmation($0) } ?? false
  }

  private static func isConfirmation(_ key: Key) -> Bool {
    [.enter, .character(" ")].contains(key)
  }

  private static func isDigit(_ key: Key) -> Bool {
    guard case .character(let character) = key else { return false }
    return character.isASCII && character.isNumber
  }
}
