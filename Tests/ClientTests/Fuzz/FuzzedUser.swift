import RIBs
import Shared
import TestSupport

@testable import Client

/// A user at a terminal in memory, who presses random keys, types random lines and resizes the
/// terminal. Checks every byte of the output.
final class FuzzedUser {
  /// A sentence about output that a terminal does not understand.
  private(set) var fault: String?
  let viewFactory: any ViewFactory
  private let device: Device
  private var random: SeededGenerator

  private enum Device {
    case fullScreen(Screen, Display)
    case plain(TestTerminal)
  }

  /// The terminal of the full screen.
  private final class Display {
    var emulator = ScreenEmulator(.usual)
    var fault: String?

    func receive(_ bytes: [UInt8]) {
      do throws(ScreenEmulator.UnknownInputError) {
        try emulator.receive(bytes)
      } catch {
        fault = "The terminal does not understand \(error)."
      }
    }
  }

  private static let sizes = [
    Size.usual, .usual, Size(rows: 12, columns: 40), Size(rows: 11, columns: 40),
    Size(rows: 1, columns: 1), Size(rows: 2, columns: 3), Size(rows: 60, columns: 250),
    Size(rows: 30, columns: 40), Size(rows: 12, columns: 200), Size(rows: 0, columns: 0),
  ]
  private static let keys: [Key] =
    "123456789rtmagjkhl ?yqxbn/ü日pu+-".map { Key.character($0) } + [
      .up, .down, .left, .right, .home, .end, .enter, .enter, .escape, .tab, .backTab, .backspace,
      .delete, .scrollUp, .scrollDown, .pageUp, .pageDown, .pasted("q"), .pasted("y"),
      .control("u"), .control("a"), .control("e"), .control("l"),
    ]
  private static let lines = [
    "1", "2", "5", "9", "0", "10", "-1", "99999999999999999999", "start", "start bot", "start bob",
    "cancel", "leave", "say hello", "say", "list", "matches", "watch m", "game tictactoe", "game x",
    "help", "history", "history bob", "more", "leaderboard", "replay m", "register", "unregister",
    "open sesame", "open sesame", "mute", "unmute", "resign", "", " ", "\u{1B}[2J", "ann", "bot",
    String(repeating: "x", count: 2_000),
  ]

  init(_ mode: InterfaceMode, seed: UInt64, clock: ManualTimers) {
    random = SeededGenerator(seed: seed)
    switch mode {
    case .fullScreen:
      let display = Display()
      let screen = Screen(size: .usual, timers: clock, write: { display.receive($0) })
      screen.redraw(size: .usual)
      device = .fullScreen(screen, display)
      viewFactory = ScreenViewFactory(screen: screen)
    case .plain:
      let terminal = TestTerminal()
      device = .plain(terminal)
      viewFactory = PlainViewFactory(console: terminal.console)
    }
  }

  var window: any Window {
    switch device {
    case .fullScreen(let screen, _): screen
    case .plain(let terminal): terminal.console
    }
  }

  func act() {
    switch device {
    case .fullScreen(let screen, let display):
      if Int.random(in: 0..<4, using: &random) == 0 {
        let size = Self.sizes.randomElement(using: &random) ?? .usual
        display.emulator.resize(rows: size.rows, columns: size.columns)
        screen.redraw(size: size)
      }
      receiveReply()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        screen.press(key(on: screen.size))
      }
    case .plain(let terminal):
      if Bool.random(using: &random) {
        terminal.type(Self.lines.randomElement(using: &random) ?? "")
      }
    }
  }

  /// The terminal sends a control string or a control sequence that is no key, in pieces and
  /// perhaps without its end.
  private func receiveReply() {
    let (start, contents, ends) = Self.replies.randomElement(using: &random) ?? ("", [], [])
    let content = String(
      (0..<Int.random(in: 0...20, using: &random)).map { _ in
        contents.randomElement(using: &random) ?? "0"
      })
    let end = ends.randomElement(using: &random) ?? ""
    var bytes = Array((start + content + end).utf8)[...]
    if !end.isEmpty, Int.random(in: 0..<4, using: &random) == 0 { bytes.removeLast() }
    var parser = KeyParser()
    var keys: [Key] = []
    while !bytes.isEmpty {
      let count = Int.random(in: 1...bytes.count, using: &random)
      keys += parser.parse(Array(bytes.prefix(count)).span)
      bytes.removeFirst(count)
    }
    keys += parser.flush() + parser.parse(Array("5".utf8).span)
    if keys != [.character("5")] { fault = "It reads \(start + content + end) as \(keys)." }
  }

  /// How control strings and control sequences begin, what they contain, and how they end.
  private static let replies: [(String, [Character], [String])] =
    ["\u{1B}]", "\u{1B}P", "\u{1B}X", "\u{1B}^", "\u{1B}_", "\u{90}", "\u{9D}"].map {
      ($0, Array("rbq5 ;:/?!|ü日\r\n\u{3}"), ["\u{1B}\\", "\u{7}", "\u{9C}", ""])
    }
    + ["\u{1B}[?", "\u{1B}[>", "\u{9B}?"].map {
      ($0, Array("0123456789;:"), ["c", "$y", "u", "n", ""])
    }

  private func key(on size: Size) -> Key {
    guard Int.random(in: 0..<6, using: &random) == 0 else {
      return Self.keys.randomElement(using: &random) ?? .enter
    }
    return .press(
      Position(
        row: Int.random(in: 0...size.rows, using: &random),
        column: Int.random(in: 0...size.columns, using: &random)))
  }

  /// Presses a key on the full screen.
  func press(_ key: Key) {
    if case .fullScreen(let screen, _) = device { screen.press(key) }
  }

  func logIn() {
    switch device {
    case .fullScreen(let screen, _): screen.press(.enter)
    case .plain(let terminal): terminal.type("ann")
    }
  }

  func quit() {
    switch device {
    case .fullScreen(let screen, _):
      // The first one asks in a game.
      for _ in 1...2 { screen.press(.control("c")) }
    case .plain(let terminal):
      // In a game the first one asks.
      for line in ["quit", "yes"] { terminal.type(line) }
    }
  }

  /// Runs the deferred actions and checks the output.
  func settle() {
    switch device {
    case .fullScreen(_, let display):
      if let wrong = display.fault { fault = wrong }
    case .plain(let terminal):
      let text = terminal.takeOutput()
      // The echo of the typed line.
      let written = text.replacing("\u{1B}[2J\n", with: "")
      if written != written.printable { fault = "It writes what steers a terminal: \(text)" }
    }
  }
}
