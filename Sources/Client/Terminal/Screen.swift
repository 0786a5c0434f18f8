import Shared

/// What the program and its views see of the terminal: its size, what is shown, and the keys. All
/// that changes in one go is drawn once.
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

  /// By the clock of the program.
  var now: Duration { timers.now }

  /// How long each picture of what moves stands.
  private static let tickLength = Duration.milliseconds(120)

  /// Shows nothing before `redraw`; `write` puts bytes out, all at once.
  init(size: Size, timers: any Timers, write: @escaping ([UInt8]) -> Void) {
    self.size = size
    self.timers = timers
    self.write = write
  }

  /// What is shown is out of date: it is drawn again once this call stack is done.
  func setNeedsDisplay() {
    guard isShowing, drawing == nil else { return }
    drawing = timers.schedule(after: .zero) { [weak self] in self?.display() }
  }

  /// Has the terminal ring its bell, for what must not be missed.
  func ring() {
    if isShowing { write([0x07]) }
  }

  /// Draws everything anew, as nobody knows what the terminal shows now: at the start, when the
  /// terminal is back, or has another size.
  func redraw(size: Size) {
    self.size = size
    isShowing = true
    writer.forget()
    setNeedsDisplay()
  }

  /// Shows nothing more until `redraw`.
  func pause() {
    isShowing = false
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
    var frame = Frame(size: size, tick: tick)
    if let content {
      if size.holds(content.minimumSize) {
        content.draw(into: &frame)
      } else {
        Self.ask(for: content.minimumSize, in: &frame)
      }
    }
    let bytes = writer.bytes(for: frame)
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
