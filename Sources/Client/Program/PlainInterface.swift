import Foundation
import Shared

/// Plain lines, in and out.
final class PlainInterface: UserInterface {
  let viewFactory: any ViewFactory
  private let console: Console
  private let loop: EventLoop
  private let greeting: String?
  private var input: InputReader?
  private var continuation: SignalSource?

  /// `greeting` is what is said first; `failure` is called when nothing can be written any more.
  init(loop: EventLoop, greeting: String?, failure: @escaping (ExitCode) -> Void) {
    self.loop = loop
    self.greeting = greeting
    console = Console(
      isInteractive: isatty(STDIN_FILENO) == 1,
      write: { text in
        let code = StandardOutput.write(text)
        if code != .ok { failure(code) }
        return code == .ok
      },
      later: { action in loop.schedule(after: .zero, action) })
    viewFactory = PlainViewFactory(console: console)
  }

  var window: any Window { console }

  func start() throws(SystemError) {
    let input = try InputReader(loop: loop, descriptor: STDIN_FILENO)
    self.input = input
    input.delegate = self
    input.isReading = console.wantsInput
    // After Ctrl-Z and `fg` nobody sees the question any more.
    continuation = try SignalSource(loop: loop, signal: SIGCONT) { [console] in
      console.showAgain()
    }
    if let greeting { console.say(greeting) }
  }

  func turnDidEnd() {
    input?.isReading = console.wantsInput
  }

  func stop() {
    console.stopAsking()
    continuation?.cancel()
    input?.stop()
  }
}

extension PlainInterface: InputReaderDelegate {
  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>) {
    console.receive(bytes)
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    if let error {
      console.inputDidFail(error.description)
    } else {
      console.inputDidEnd()
    }
  }
}
