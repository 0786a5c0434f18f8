import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// The real client at a pseudo-terminal. The test types keys, clicks, and reads the screen.
final class ScreenClient {
  static let prompt = "$ tictactoe-client"

  let terminal: PseudoTerminal
  private let before: PseudoTerminal.Settings

  /// `shell` is a command line that runs instead of the client; its `"$@"` starts the client.
  init(
    _ arguments: [String], size: Size = Size(rows: 24, columns: 80), shell: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    terminal = try PseudoTerminal(
      rows: size.rows, columns: size.columns, width: TextWidth.columns(of:))
    before = try terminal.settings
    let prompt = Array("\(Self.prompt)\r\n".utf8)
    try #require(write(terminal.descriptor, prompt, prompt.count) == prompt.count)
    let client = RunningProgram.product("tictactoe-client").path
    // The tests' own environment may set these.
    let environment = RunningProgram.folders
      .merging(["NO_COLOR": "", "LC_ALL": "C.UTF-8"]) { $1 }
      .merging(environment) { $1 }
    if let shell {
      try terminal.start(
        "/bin/sh", ["-c", shell, "sh", client] + arguments, environment: environment)
    } else {
      try terminal.start(client, arguments, environment: environment)
    }
  }

  /// The lines of the screen. The spinner, clocks, the port and the match id have fixed values.
  var lines: [String] { Self.still(terminal.screen) }

  /// Sends keys as a terminal does.
  func type(_ keys: String) throws {
    try terminal.type(keys)
  }

  /// Clicks in the middle of the first occurrence of a text in the rows that `isMeant` accepts.
  func click(on text: String, inRow isMeant: (String) -> Bool = { _ in true }) throws {
    try wait(until: text) { $0.contains { isMeant($0) && $0.contains(text) } }
    for (row, line) in lines.enumerated() where isMeant(line) {
      guard let range = line.range(of: text) else { continue }
      let column = TextWidth.columns(of: String(line[..<range.lowerBound])) + text.count / 2
      let place = "\u{1B}[<0;\(column + 1);\(row + 1)"
      return try type("\(place)M\(place)m")
    }
  }

  func wait(for text: String) throws {
    try terminal.wait(for: text)
  }

  func wait(until what: String, _ isThere: ([String]) -> Bool) throws {
    try terminal.wait(for: what) { isThere(Self.still($0)) }
  }

  /// Waits until the screen equals `Screen/Frames/NAME.txt`. With `UPDATE_GOLDEN=1` it writes that
  /// file instead, once the screen shows the text.
  func wait(forScreen name: String, once text: String) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Frames/\(name).txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try wait(for: text)
      try Data(lines.map { "\($0)\n" }.joined().utf8).write(to: file)
    }
    let frame = try String(contentsOf: file, encoding: .utf8)
    try wait(until: "The frame “\(name)”") { $0.map { "\($0)\n" }.joined() == frame }
  }

  /// Expects the screen from before the program, and no leftover terminal modes.
  func expectNormalScreen(sourceLocation: SourceLocation = #_sourceLocation) throws {
    while try terminal.readSome(before: .zero) {}
    let screen = terminal.screen
    #expect(screen.modes.subtracting([25]).isEmpty, sourceLocation: sourceLocation)
    #expect(screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(screen.lines.first == Self.prompt, sourceLocation: sourceLocation)
  }

  /// Expects the terminal's settings from before the program as well.
  func expectRestored(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectNormalScreen(sourceLocation: sourceLocation)
    #expect(try terminal.settings == before, sourceLocation: sourceLocation)
  }

  /// Expects the program to end with a code, or a negated signal number, and to restore the
  /// terminal.
  func expectEnd(_ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try terminal.exitCode() == code, sourceLocation: sourceLocation)
    try expectRestored(sourceLocation: sourceLocation)
  }

  private static func still(_ screen: ScreenEmulator) -> [String] {
    screen.lines.map { line in
      line.replacing(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, with: "⠋").replacing(/\d+:\d\d/, with: "0:00")
        .replacing(/match [a-z0-9]{4}\b/, with: "match zrg3").replacing(/\d{4,5}/, with: "PORT")
    }
  }
}

extension RunningServer {
  /// A client of this server, on a full screen.
  func screen(
    _ arguments: [String] = [], size: Size = Size(rows: 24, columns: 80), shell: String? = nil,
    environment: [String: String] = [:]
  ) throws -> ScreenClient {
    try ScreenClient(
      ["127.0.0.1", "--port", port] + arguments, size: size, shell: shell,
      environment: environment)
  }
}

/// The bytes that keys send.
enum Keys {
  static let enter = "\r"
  static let escape = "\u{1B}"
  static let tab = "\t"
  static let backspace = "\u{7F}"
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static func control(_ letter: Unicode.Scalar) -> String {
    String(Unicode.Scalar(UInt8(letter.value & 0x1F)))
  }
}
