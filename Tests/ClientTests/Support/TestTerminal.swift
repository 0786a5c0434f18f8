import Shared

@testable import Client

/// A console at a terminal or a pipe in memory.
final class TestTerminal {
  let console: Console
  private let buffer: Buffer

  /// The output and the deferred actions of the console.
  private final class Buffer {
    var output = ""
    var isEchoing = true
    var typed: [UInt8] = []
    var actions: [() -> Void] = []
  }

  /// `columns` is the width of the terminal to which the console writes.
  init(
    isInteractive: Bool = true, characters: CharacterRange = .all, columns: Int? = nil
  ) {
    let buffer = Buffer()
    self.buffer = buffer
    console = Console(
      isInteractive: isInteractive, characters: characters,
      write: { text in
        buffer.output += text
        return true
      },
      later: { buffer.actions.append($0) },
      keyboard: Console.Keyboard(
        setEcho: { buffer.isEchoing = $0 != .off },
        takeTyped: {
          defer { buffer.typed = [] }
          return buffer.typed
        }),
      columns: { columns })
  }

  /// Whether the terminal shows what is typed.
  var isEchoing: Bool { buffer.isEchoing }

  /// Types a line. An interactive terminal echoes it to the output, unless its echo is off.
  func type(_ line: String) {
    if console.isInteractive { buffer.output += (buffer.isEchoing ? line : "") + "\n" }
    feed(Array((line + "\n").utf8))
  }

  /// Types the beginning of a line. The terminal keeps it until the line ends.
  func begin(_ text: String) {
    if buffer.isEchoing { buffer.output += text }
    buffer.typed += Array(text.utf8)
  }

  /// Types the end of a line.
  func finish(_ text: String) {
    let line = buffer.typed + Array((text + "\n").utf8)
    if buffer.isEchoing { buffer.output += text }
    buffer.output += "\n"
    buffer.typed = []
    feed(line)
  }

  /// Passes input to the console without an echo, like a pipe.
  func feed(_ bytes: [UInt8]) {
    console.receive(bytes.span)
    settle()
  }

  func end() {
    console.inputDidEnd()
    settle()
  }

  /// Runs the deferred actions.
  func settle() {
    while !buffer.actions.isEmpty { buffer.actions.removeFirst()() }
  }

  /// The output since the previous call.
  func takeOutput() -> String {
    settle()
    defer { buffer.output = "" }
    return buffer.output
  }
}

final class ConsoleDelegateMock: ConsoleDelegate {
  enum Call: Equatable {
    case line(String)
    case end
    case failure(String)
  }

  private(set) var calls: [Call] = []
  /// Called with each line.
  var onRead: (String) -> Void = { _ in }

  func consoleDidRead(_ line: String) {
    calls.append(.line(line))
    onRead(line)
  }

  func consoleDidEnd() { calls.append(.end) }
  func consoleWillSuspend() {}
  func consoleDidContinue() {}

  func consoleDidInterrupt() -> Bool { true }

  func consoleDidFail(_ sentence: String) { calls.append(.failure(sentence)) }
}
