import Shared

@testable import Client

/// A console on a terminal or a pipe in memory.
final class TestTerminal {
  let console: Console
  private let buffer: Buffer

  /// What lies between the console and this.
  private final class Buffer {
    var output = ""
    var actions: [() -> Void] = []
  }

  init(isInteractive: Bool = true) {
    let buffer = Buffer()
    self.buffer = buffer
    console = Console(
      isInteractive: isInteractive,
      write: { text in
        buffer.output += text
        return true
      },
      later: { buffer.actions.append($0) })
  }

  /// Types a line; a terminal shows it, and a person sees it in `takeOutput`.
  func type(_ line: String) {
    if console.isInteractive { buffer.output += line + "\n" }
    feed(Array((line + "\n").utf8))
  }

  /// Bytes as they come from a pipe, without an echo.
  func feed(_ bytes: [UInt8]) {
    console.receive(bytes.span)
    settle()
  }

  func end() {
    console.inputDidEnd()
    settle()
  }

  /// Does what was to be done later.
  func settle() {
    while !buffer.actions.isEmpty { buffer.actions.removeFirst()() }
  }

  /// All that has been written since the last call.
  func takeOutput() -> String {
    settle()
    defer { buffer.output = "" }
    return buffer.output
  }
}

/// Keeps the lines that a console hands on.
final class ConsoleDelegateMock: ConsoleDelegate {
  enum Call: Equatable {
    case line(String)
    case end
    case failure(String)
  }

  private(set) var calls: [Call] = []
  /// Done with each line.
  var onRead: (String) -> Void = { _ in }

  func consoleDidRead(_ line: String) {
    calls.append(.line(line))
    onRead(line)
  }

  func consoleDidEnd() { calls.append(.end) }

  func consoleDidFail(_ sentence: String) { calls.append(.failure(sentence)) }
}
