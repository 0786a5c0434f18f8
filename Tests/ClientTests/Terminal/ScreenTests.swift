import TestSupport
import Testing

@testable import Client

@Suite struct ScreenTests {
  private let timers = ManualTimers()
  private let output = Output()
  private let content = Content()
  private let screen: Screen

  init() {
    let output = output
    screen = Screen(
      size: Size(rows: 4, columns: 20), timers: timers, write: { output.writes.append($0) })
    screen.content = content
  }

  @Test func `nothing is written before the size is known`() {
    timers.advance(by: .seconds(1))
    #expect(output.writes.isEmpty)
  }

  @Test func `several changes within one interval are one write`() throws {
    show(4, 20)
    content.text = "two"
    screen.setNeedsDisplay()
    content.text = "three"
    screen.setNeedsDisplay()
    #expect(try terminalLines() == ["one", "", "", ""])
    timers.advance(by: Screen.minInterval)
    #expect(output.writes.count == 2)
    #expect(try terminalLines() == ["three", "", "", ""])
  }

  @Test func `an unchanged frame is not written`() {
    show(4, 20)
    screen.setNeedsDisplay()
    timers.advance(by: Screen.minInterval)
    #expect(content.drawings == 2)
    #expect(output.writes.count == 1)
  }

  @Test func `constant changes are drawn at a limited rate, and the last one is drawn`() throws {
    show(4, 20)
    for number in 1...1_000 {
      content.text = "\(number)"
      screen.setNeedsDisplay()
      timers.advance(by: .milliseconds(1))
    }
    timers.advance(by: Screen.minInterval)
    #expect(content.drawings <= 2 + 1_000 / 30)
    #expect(try terminalLines()[0] == "1000")
  }

  @Test func `a size that never stops changing is drawn at a limited rate`() throws {
    show(4, 20)
    for number in 1...1_000 {
      screen.redraw(size: Size(rows: 3 + number % 2, columns: 20))
      timers.advance(by: .milliseconds(1))
    }
    timers.advance(by: Screen.minInterval)
    #expect(content.drawings <= 2 + 1_000 / 30)
    #expect(try terminalLines() == ["one", "", "", ""])
  }

  @Test func `a change after a pause is drawn at once`() throws {
    show(4, 20)
    timers.advance(by: Screen.minInterval)
    content.text = "two"
    screen.setNeedsDisplay()
    timers.advance(by: .zero)
    #expect(try terminalLines()[0] == "two")
  }

  @Test func `the bell rings only while it is on`() throws {
    let silent = Screen(
      size: Size(rows: 4, columns: 20), timers: timers, settings: ScreenSettings(hasBell: false),
      write: { [output] in output.writes.append($0) })
    silent.redraw(size: Size(rows: 4, columns: 20))
    silent.ring(for: .invitation)
    timers.advance(by: Screen.minInterval)
    #expect(!output.writes.contains { $0.contains(0x07) })
    silent.bell.isOn = true
    silent.ring(for: .invitation)
    timers.advance(by: Screen.minInterval)
    #expect(output.writes.last == [0x07])
  }

  @Test func `several bells between two drawings ring once`() throws {
    show(4, 20)
    for _ in 0..<100 { screen.ring(for: .invitation) }
    timers.advance(by: Screen.minInterval)
    #expect(output.writes.count == 2)
    #expect(output.writes.last == [0x07])
    screen.setNeedsDisplay()
    timers.advance(by: Screen.minInterval)
    #expect(output.writes.count == 2)
  }

  @Test func `a bell rung while nothing is shown is dropped`() {
    screen.ring(for: .invitation)
    show(4, 20)
    screen.ring(for: .invitation)
    screen.pause()
    show(4, 20)
    #expect(!output.writes.contains { $0.contains(0x07) })
  }

  @Test func `a notice is on the last row until the next key`() throws {
    show(4, 20)
    screen.notify("Only ASCII characters can be typed.")
    timers.advance(by: Screen.minInterval)
    #expect(try terminalLines() == ["one", "", "", "Only ASCII characte…"])
    screen.press(.character("x"))
    timers.advance(by: Screen.minInterval)
    #expect(try terminalLines() == ["one", "", "", ""])
  }

  @Test func `an idle screen never wakes up`() {
    show(4, 20)
    #expect(timers.next == nil)
  }

  @Test func `an animation advances every 120 milliseconds while it is drawn`() throws {
    content.isAnimated = true
    show(4, 20)
    timers.advance(by: .milliseconds(120))
    timers.advance(by: .milliseconds(120))
    #expect(try terminalLines()[0] == "one 2")
    // Other changes do not speed up the animation.
    timers.advance(by: .milliseconds(60))
    screen.setNeedsDisplay()
    timers.advance(by: .milliseconds(59))
    #expect(try terminalLines()[0] == "one 2")
    timers.advance(by: .milliseconds(1))
    #expect(try terminalLines()[0] == "one 3")
    content.isAnimated = false
    timers.advance(by: .milliseconds(120))
    #expect(timers.next == nil)
  }

  @Test func `a terminal that is too small shows the required size`() throws {
    show(2, 60)
    #expect(
      try terminalLines(2, 60) == [
        "Make the terminal at least 10 columns wide and 3 rows high.",
        "               It is 60 wide and 2 high now.",
      ])
    #expect(content.drawings == 0)
    screen.press(.character("q"))
    screen.press(.control("c"))
    #expect(content.keys == [.control("c")])
  }

  @Test func `a new size redraws everything`() throws {
    show(4, 20)
    output.writes = []
    timers.advance(by: Screen.minInterval)
    show(3, 10)
    #expect(try terminalLines(3, 10) == ["one", "", ""])
  }

  @Test func `a paused screen writes nothing`() {
    content.isAnimated = true
    show(4, 20)
    screen.setNeedsDisplay()
    screen.pause()
    screen.setNeedsDisplay()
    #expect(timers.next == nil)
    #expect(output.writes.count == 1)
    show(4, 20)
    #expect(output.writes.count == 2)
  }

  @Test func `the screen does not retain its content`() {
    var other: Content? = Content()
    screen.content = other
    weak let gone = other
    other = nil
    #expect(gone == nil)
    show(4, 20)
  }

  private func show(_ rows: Int, _ columns: Int) {
    screen.redraw(size: Size(rows: rows, columns: columns))
    timers.advance(by: .zero)
  }

  private func terminalLines(_ rows: Int = 4, _ columns: Int = 20) throws -> [String] {
    var terminal = ScreenEmulator(Size(rows: rows, columns: columns))
    for bytes in output.writes { try terminal.receive(bytes) }
    return terminal.lines
  }
}

private final class Output {
  var writes: [[UInt8]] = []
}

private final class Content: ScreenContent {
  var text = "one"
  var isAnimated = false
  private(set) var drawings = 0
  private(set) var keys: [Key] = []
  var question: String?

  let minimumSize = Size(rows: 3, columns: 10)

  func draw(into frame: inout Frame) {
    drawings += 1
    frame.isAnimated = isAnimated
    let text = isAnimated ? "\(text) \(frame.tick)" : text
    frame.write(text, at: Position(row: 0, column: 0))
  }

  func press(_ key: Key) { keys.append(key) }
  func willSuspend() {}
  func didContinue() {}
}
