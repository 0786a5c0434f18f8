import Foundation
import Shared

/// The program around the client's tree: the loop, what is typed, and how it ends.
final class ClientProgram {
  private let loop: EventLoop
  private let console: Console
  private let root: any LaunchRouting
  private let ending = Ending()
  private var input: InputReader?

  private init(_ options: ClientOptions, loop: EventLoop) {
    self.loop = loop
    let ending = ending
    console = Console(
      isInteractive: isatty(STDIN_FILENO) == 1,
      write: { text in
        let code = StandardOutput.write(text)
        if code != .ok { ending.end(Farewell(code: code, sentence: nil)) }
        return code == .ok
      },
      later: { action in loop.schedule(after: .zero, action) })
    let component = AppComponent(options, loop: loop, views: PlainViews(console: console))
    root = RootBuilder(dependency: component).build(withListener: ending)
  }

  /// Plays until the person quits, or it cannot go on.
  static func run(_ options: ClientOptions) -> ExitCode {
    // A reader of our output that goes away is an error of writing, not the end at once.
    signal(SIGPIPE, SIG_IGN)
    // Without an input the loop would get its descriptor; an empty one is an end at once.
    if fcntl(STDIN_FILENO, F_GETFD) == -1 { _ = open("/dev/null", O_RDONLY) }
    do throws(SystemError) {
      let program = ClientProgram(options, loop: try EventLoop())
      return try program.play(options)
    } catch {
      StandardOutput.complain("The client cannot go on: \(error).")
      return .ioError
    }
  }

  private func play(_ options: ClientOptions) throws(SystemError) -> ExitCode {
    let input = try InputReader(loop: loop, descriptor: STDIN_FILENO)
    self.input = input
    input.delegate = self
    input.isReading = console.wantsInput
    if !options.isLocal { console.say("Connecting to \(options.address) …") }
    root.launch(from: console)
    while ending.farewell == nil {
      try loop.turn(wait: nil)
      input.isReading = console.wantsInput
    }
    console.stopAsking()
    input.stop()
    root.interactable.deactivate()
    // What was written last goes out.
    try loop.turn(wait: .zero)
    guard let farewell = ending.farewell else { return .ok }
    if let sentence = farewell.sentence { StandardOutput.complain(sentence) }
    return farewell.code
  }
}

extension ClientProgram: InputReaderDelegate {
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

/// How the program ends; the first word counts.
private final class Ending: RootListener {
  private(set) var farewell: Farewell?

  func rootDidFinish(_ farewell: Farewell) {
    end(farewell)
  }

  func end(_ farewell: Farewell) {
    if self.farewell == nil { self.farewell = farewell }
  }
}
