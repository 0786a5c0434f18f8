import Shared

/// What the program and its views see of the terminal: its size, what is shown, and the keys. All
/// that changes in one go is drawn once, and what changes all the time some thirty times a second.
final class Screen {
  /// What is shown; whoever sets it owns it.
  weak var content: (any ScreenContent)? { didSet { setNeedsDisplay() } }
  private(set) var size: Size
  private let timers: any Timers
  private let write: ([UInt8]) -> Void
  private var writer = FrameWriter()
  private var tick = 0
  private var drawing: LoopTimer?
  private var ticking: LoopTimer?
  private var isShowing = false
  private var isRinging = false
  /// When the terminal was last drawn on.
  private var lastDrawing: Duration?

  /// By the clock of the program.
  var now: Duration { timers.now }

  /// How long each picture of what moves stands.
  private static let tickLength = Duration.milliseconds(120)
  /// The shortest time from one drawing to the next: whatever a server tells, a terminal gets no more
  /// than a person sees.
  static let minInterval = Duration.milliseconds(30)

  /// Shows nothing before `redraw`; `write` puts bytes out, all at once.
  init(size: Size, timers: any Timers, write: @escaping ([UInt8]) -> Void) {
    self.size = size
    self.timers = timers
    self.write = write
  }

  /// What is shown is out of date: it is drawn again once this call stack is done, all input that has
  /// come included, and `minInterval` after the last drawing at the earliest.
  func setNeedsDisplay() {
    guard isShowing, drawing == nil else { return }
    let delay = lastDrawing.map { max(.zero, $0 + Self.minInterval - timers.now) } ?? .zero
    drawing = timers.schedule(after: delay) { [weak self] in self?.display() }
  }

  /// Has the terminal ring its bell with the next drawing, for what must not be missed.
  func ring() {
    isRinging = isShowing
    setNeedsDisplay()
  }

  /// Draws everything anew, as nobody knows what the terminal shows now: at the start, when the
  /// terminal is back, or has another size.
  func redraw(size: Size) {
    self.size = size
    isShowing = true
    lastDrawing = nil
    writer.forget()
    setNeedsDisplay()
  }

  /// Shows nothing more until `redraw`.
  func pause() {
    isShowing = false
    isRinging = false
    drawing?.cancel()
    drawing = nil
    ticking?.cancel()
    ticking = nil
  }

  /// What cannot be seen is not played: where the terminal is too small only Ctrl-C counts.
  func press(_ key: Key) {
    guard let content, key == .control("c") || size.holds(content.minimumSize) else { return }
    content.press(key)
  }

  private func display() {
    drawing = nil
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
    guard frame.isAnimated || frame.hasClock, ticking == nil else { return }
    let length = frame.isAnimated ? Self.tickLength : .seconds(1)
    ticking = timers.schedule(after: length) { [weak self] in self?.turnPicture() }
  }

  private func turnPicture() {
    ticking = nil
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

/// What a `Screen` shows: it draws the whole picture each time, and gets the keys.
protocol ScreenContent: AnyObject {
  /// The screen says so in a sentence where the terminal is smaller, and does not ask for a drawing.
  var minimumSize: Size { get }

  /// Draws into an empty frame of the terminal's size.
  func draw(into frame: inout Frame)

  /// A key that was typed; where the terminal is too small, Ctrl-C alone comes.
  func press(_ key: Key)
}
