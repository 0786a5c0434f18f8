import Shared

/// The terminal, as the program and its views see it: its size, its content and its keys. Changes
/// in one call stack are drawn once; changes that never stop are drawn up to 33 times a second.
final class Screen {
  /// The content of the screen. The caller owns it.
  weak var content: (any ScreenContent)? { didSet { setNeedsDisplay() } }
  private(set) var size: Size
  /// Whether `ring` rings the terminal's bell.
  var isBellOn: Bool
  private let timers: any Timers
  private let write: ([UInt8]) -> Void
  private var writer: FrameWriter
  private var tick = 0
  private var drawTimer: LoopTimer?
  private var tickTimer: LoopTimer?
  private var isShowing = false
  private var isRinging = false
  /// The time of the last frame.
  private var lastDrawing: Duration?

  /// The time on the loop's clock.
  var now: Duration { timers.now }

  /// The duration of one step of an animation.
  private static let tickLength = Duration.milliseconds(120)
  /// The shortest time between two frames. Regardless of how much a server sends, the terminal gets
  /// no more frames than a person can see.
  static let minInterval = Duration.milliseconds(30)

  /// Draws nothing before `redraw`. `write` must write all bytes.
  init(
    size: Size, timers: any Timers, settings: ScreenSettings = ScreenSettings(),
    write: @escaping ([UInt8]) -> Void
  ) {
    self.size = size
    self.timers = timers
    isBellOn = settings.hasBell
    writer = FrameWriter(hasColors: settings.hasColors, isASCII: settings.isASCII)
    self.write = write
  }

  /// Draws again after this call stack, with all input that has arrived, but no sooner than
  /// `minInterval` after the last frame.
  func setNeedsDisplay() {
    guard isShowing, drawTimer == nil else { return }
    let delay = lastDrawing.map { max(.zero, $0 + Self.minInterval - timers.now) } ?? .zero
    drawTimer = timers.schedule(after: delay) { [weak self] in self?.display() }
  }

  /// Rings the terminal's bell with the next frame, if the bell is on.
  func ring() {
    guard isBellOn else { return }
    isRinging = isShowing
    setNeedsDisplay()
  }

  /// Draws everything again, because the content of the terminal is unknown: at the start, when the
  /// terminal is back, or when its size has changed.
  func redraw(size: Size) {
    self.size = size
    isShowing = true
    lastDrawing = nil
    writer.forget()
    setNeedsDisplay()
  }

  /// Draws nothing until `redraw`.
  func pause() {
    isShowing = false
    isRinging = false
    drawTimer?.cancel()
    drawTimer = nil
    tickTimer?.cancel()
    tickTimer = nil
  }

  /// Passes a key to the content. If the terminal is too small to show the content, only Ctrl-C
  /// counts.
  func press(_ key: Key) {
    guard let content, key == .control("c") || size.holds(content.minimumSize) else { return }
    content.press(key)
  }

  private func display() {
    drawTimer = nil
    lastDrawing = timers.now
    var frame = Frame(size: size, tick: tick)
    if let content {
      if size.holds(content.minimumSize) {
        content.draw(into: &frame)
      } else {
        Self.ask(for: content.minimumSize, in: &frame)
      }
    }
    let bytes = writer.bytes(for: frame) + (isRinging ? [0x07] : [])
    isRinging = false
    if !bytes.isEmpty { write(bytes) }
    guard frame.isAnimated || frame.hasClock, tickTimer == nil else { return }
    let length = frame.isAnimated ? Self.tickLength : .seconds(1)
    tickTimer = timers.schedule(after: length) { [weak self] in self?.advanceAnimation() }
  }

  private func advanceAnimation() {
    tickTimer = nil
    tick += 1
    setNeedsDisplay()
  }

  private static func ask(for size: Size, in frame: inout Frame) {
    guard frame.size.columns >= 2 else { return }
    let sentence =
      "Make the terminal at least \(size.columns) columns wide and \(size.rows) rows high."
    let lines = sentence.wrapped(to: frame.size.columns)
    let top = max(0, frame.size.rows - lines.count) / 2
    for (index, line) in lines.enumerated() { frame.writeCentered(line, row: top + index) }
  }
}

/// The content of a `Screen`. It draws whole frames, and gets the keys.
protocol ScreenContent: AnyObject {
  /// The minimum size. In a smaller terminal, the screen asks for a larger one instead.
  var minimumSize: Size { get }

  /// Draws into an empty frame of the terminal's size.
  func draw(into frame: inout Frame)

  /// Handles a key. If the terminal is too small, only Ctrl-C arrives.
  func press(_ key: Key)
}
