import Shared

/// The terminal, as the program and its views see it: its size, its content and its keys. Changes
/// in one call stack are drawn once; changes that never stop are drawn up to 33 times a second.
final class Screen {
  /// The content of the screen. The caller owns it.
  weak var content: (any ScreenContent)? { didSet { setNeedsDisplay() } }
  private(set) var size: Size
  var bell: Bell
  private let timers: any Timers
  private let write: ([UInt8]) -> Void
  private var writer: FrameWriter
  private var tick = 0
  private var drawTimer: LoopTimer?
  private var tickTimer: LoopTimer?
  /// A sentence on the last row, until the next key.
  private var notice: String?
  private var isShowing = false
  private var isRinging = false
  /// When keys count again; `nil` or in the past if they do.
  private var heldUntil: Duration?
  /// Draws again when keys count again.
  private var holdTimer: LoopTimer?
  /// The number of changes of the content by itself.
  private(set) var holdCount = 0
  /// Whether the content is handling a key: a change is then the person's own.
  private(set) var isPressing = false
  /// The time of the last frame.
  private var lastDrawing: Duration?
  /// The last frame, whose hints can be clicked.
  private var lastFrame: Frame?
  private let namesButtons: Bool
  private let tickLength: Duration
  /// What can be clicked on the last frame; empty unless the screen names buttons.
  var buttons: [Frame.Button] { lastFrame?.buttons ?? [] }
  /// Whether the last frame is still on its way. Then no other is drawn, and the next one is the
  /// latest.
  var isWaiting = false {
    didSet {
      guard !isWaiting, hasWaitingChange else { return }
      hasWaitingChange = false
      setNeedsDisplay()
    }
  }
  private var hasWaitingChange = false

  /// The time on the loop's clock.
  var now: Duration { timers.now }

  /// The shortest time between two frames. Regardless of how much a server sends, the terminal gets
  /// no more frames than a person can see.
  static let minInterval = Duration.milliseconds(30)
  /// How long keys have no effect after the content has changed by itself, and after each key that
  /// had none: they were meant for the screen before, by a person who goes on typing.
  static let holdTime = Duration.milliseconds(500)

  /// Draws nothing before `redraw`. `write` must write all bytes; before it gets a frame, `buttons`
  /// has what can be clicked there.
  init(
    size: Size, timers: any Timers, settings: ScreenSettings = ScreenSettings(),
    write: @escaping ([UInt8]) -> Void
  ) {
    namesButtons = settings.namesButtons
    tickLength = settings.tickLength
    self.size = size
    bell = Bell(isOn: settings.hasBell)
    self.timers = timers
    writer = FrameWriter(
      hasColors: settings.hasColors, hasBrightColors: settings.hasBrightColors,
      characters: settings.characters, marksWidths: settings.marksWidths)
    self.write = write
  }

  /// Draws again after this call stack, with all input that has arrived, but no sooner than
  /// `minInterval` after the last frame.
  func setNeedsDisplay() {
    guard isShowing, drawTimer == nil else { return }
    let delay = lastDrawing.map { max(.zero, $0 + Self.minInterval - timers.now) } ?? .zero
    drawTimer = timers.schedule(after: delay) { [weak self] in self?.display() }
  }

  /// Rings the terminal's bell with the next frame, if the occasion is worth it.
  func ring(for occasion: Bell.Occasion) {
    guard isShowing, bell.rings(for: occasion) else { return }
    isRinging = true
    setNeedsDisplay()
  }

  /// Draws everything again, because the content of the terminal is unknown: at the start, when the
  /// terminal is back, or when its size has changed. A size that never stops changing is drawn at
  /// the usual rate.
  func redraw(size: Size) {
    self.size = size
    isShowing = true
    writer.forget()
    setNeedsDisplay()
  }

  /// Draws nothing until `redraw`.
  func pause() {
    isShowing = false
    isRinging = false
    lastDrawing = nil
    drawTimer?.cancel()
    drawTimer = nil
    tickTimer?.cancel()
    tickTimer = nil
  }

  /// Whether keys have no effect now, see `holdTime`. The content checks this for all keys but
  /// Ctrl-C and those of a text field.
  var isHoldingKeys: Bool { holdTimeLeft != nil }

  /// How long keys have no effect, without a further key; `nil` if they count.
  var holdTimeLeft: Duration? {
    heldUntil.flatMap { timers.now < $0 ? $0 - timers.now : nil }
  }

  /// The content has changed by itself. Does nothing if the change belongs to the current key.
  func holdKeys() {
    holdCount += 1
    if !isPressing { holdKeysFromNow() }
  }

  /// Holds the keys in any case: the current key has uncovered a content that has changed.
  func holdKeysFromNow() {
    prolongHold()
    setNeedsDisplay()
  }

  private func prolongHold() {
    heldUntil = timers.now + Self.holdTime
    holdTimer?.cancel()
    holdTimer = timers.schedule(after: Self.holdTime) { [weak self] in self?.setNeedsDisplay() }
  }

  /// Shows a sentence on the last row until the next key, over the content.
  func notify(_ sentence: String) {
    notice = sentence
    setNeedsDisplay()
  }

  /// Passes a key to the content. If the terminal is too small to show the content, only Ctrl-C and
  /// the keys of its summary count.
  func press(_ key: Key) {
    if notice != nil {
      notice = nil
      setNeedsDisplay()
    }
    guard let content else { return }
    var key = key
    if case .press(let position) = key, let hint = lastFrame?.hint(at: position) { key = hint }
    if isHoldingKeys { prolongHold() }
    isPressing = true
    defer { isPressing = false }
    if key == .control("c") || size.holds(content.minimumSize) {
      content.press(key)
    } else {
      content.pressInSummary(key)
    }
  }

  /// Calls `body` after a time.
  @discardableResult
  func after(_ time: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    timers.schedule(after: time, body)
  }

  private func display() {
    drawTimer = nil
    guard !isWaiting else {
      hasWaitingChange = true
      return
    }
    lastDrawing = timers.now
    var frame = Frame(size: size, tick: tick, namesButtons: namesButtons)
    if let content {
      if size.holds(content.minimumSize) {
        content.draw(into: &frame)
      } else {
        ask(for: content.minimumSize, instead: content, in: &frame)
      }
    }
    if let notice {
      let start = Position(row: size.rows - 1, column: 0)
      frame.write(String(repeating: " ", count: size.columns), at: start)
      frame.write(notice, at: start, style: .reversed)
    }
    if namesButtons { frame.addHintButtons() }
    lastFrame = frame
    let bytes = writer.bytes(for: frame) + (isRinging ? [0x07] : [])
    isRinging = false
    if !bytes.isEmpty { write(bytes) }
    guard frame.isAnimated || frame.hasClock, tickTimer == nil else { return }
    let length = frame.isAnimated ? tickLength : .seconds(1)
    tickTimer = timers.schedule(after: length) { [weak self] in self?.advanceAnimation() }
  }

  private func advanceAnimation() {
    tickTimer = nil
    tick += 1
    setNeedsDisplay()
  }

  /// Asks for a larger terminal, and shows the summary of the content above, and its keys in the
  /// last row. If there are few rows, the request is cut first, then the keys, and last the
  /// summary.
  private func ask(for needed: Size, instead content: any ScreenContent, in frame: inout Frame) {
    guard frame.size.columns >= 2 else { return }
    // The summary may show a clock.
    frame.hasClock = true
    let question = content.question.map { "\($0) To do so, press Ctrl-C again." }
    let summary = (content.summary + [question].compactMap(\.self))
      .flatMap { $0.wrapped(to: frame.size.columns) }
    let keys = content.summaryKeys
    let keyRows = keys.isEmpty || frame.size.rows <= summary.count ? 0 : 1
    let request =
      "Make the terminal at least \(needed.columns) columns wide and \(needed.rows) rows high."
      + " It is \(size.columns) wide and \(size.rows) high now."
    let lines =
      summary.map { (text: $0, style: Style.bold) }
      + request.wrapped(to: frame.size.columns).map { (text: $0, style: Style.plain) }
    let rows = frame.size.rows - keyRows
    let top = max(0, rows - lines.count) / 2
    for (index, line) in lines.prefix(rows).enumerated() {
      frame.writeCentered(line.text, row: top + index, style: line.style)
    }
    if keyRows > 0 { frame.writeFooter(keys) }
  }
}

/// The content of a `Screen`. It draws whole frames, and gets the keys.
protocol ScreenContent: AnyObject {
  /// The minimum size. In a smaller terminal, the screen asks for a larger one instead.
  var minimumSize: Size { get }

  /// The question that Ctrl-C has asked, and that a second Ctrl-C answers with yes.
  var question: String? { get }

  /// What a person must know even if the terminal is too small for the content.
  var summary: [String] { get }
  /// The keys that work then, besides Ctrl-C.
  var summaryKeys: [KeyHelp] { get }
  /// What a screen reader says when it changes, the most important first.
  var spoken: [String] { get }
  /// Whether a text field has the keys.
  var isTyping: Bool { get }
  /// Whether Tab has an effect that no other key has.
  var usesTab: Bool { get }
  /// Whether the person is to move.
  var isOwnTurn: Bool { get }
  /// What to send to a friend; `nil` unless the person waits for one.
  var link: String? { get }

  /// Draws into an empty frame of the terminal's size.
  func draw(into frame: inout Frame)

  /// Handles a key. If the terminal is too small, only Ctrl-C arrives.
  func press(_ key: Key)

  /// The program is about to be suspended, because Ctrl-Z was pressed.
  func willSuspend()

  func didContinue()

  /// Handles a key other than Ctrl-C while the terminal is too small.
  func pressInSummary(_ key: Key)
}

extension ScreenContent {
  var summary: [String] { [] }
  var summaryKeys: [KeyHelp] { [] }
  var spoken: [String] { summary }
  var isTyping: Bool { false }
  var usesTab: Bool { false }
  var isOwnTurn: Bool { false }
  var link: String? { nil }
  func pressInSummary(_ key: Key) {}
}
