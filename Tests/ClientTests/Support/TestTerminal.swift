import Shared

@testable import Client

/// A console on a terminal or a pipe in memory.
final class TestTerminal {
  let console: Console
  private let wire: Wire

  /// What lies between the console and this.
  private final class Wire {
    var output = ""
    var actions: [() -> Void] = []
  }

  init(isInteractive: Bool = true) {
    let wire = Wire()
    self.wire = wire
    console = Console(
      isInteractive: isInteractive,
      write: { text in
        wire.output += text
        return true
      },
      later: { wire.actions.append($0) })
  }

  /// Types a line; a terminal shows it, and a person sees it in `take`.
  func type(_ line: String) {
    if console.isInteractive { wire.output += line + "\n" }
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
    while !wire.actions.isEmpty { wire.actions.removeFirst()() }
  }

  /// All that has been written since the last call.
  func take() -> String {
    settle()
    defer { wire.output = "" }
    return wire.output
  }
}

/// Keeps the lines that a console hands on.
final class RecordingReader: ConsoleDelegate {
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
