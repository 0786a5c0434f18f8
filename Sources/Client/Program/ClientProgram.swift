import Foundation
import Shared

/// The program around the client's tree: the loop, what stands before the person, and how it ends.
final class ClientProgram {
  private let loop: EventLoop
  private let front: any Front
  private let root: any LaunchRouting
  private let ending = Ending()

  private init(
    _ options: ClientOptions, _ appearance: Appearance, environment: [String: String],
    loop: EventLoop
  ) {
    self.loop = loop
    let ending = ending
    switch appearance {
    case .plain:
      front = PlainFront(
        loop: loop, greeting: options.isLocal ? nil : "Connecting to \(options.address) …",
        failure: { code in ending.end(Farewell(code: code, sentence: nil)) })
    case .fullScreen:
      front = ScreenFront(loop: loop, ended: ending.terminalDidEnd)
    }
    let component = AppComponent(
      options, loop: loop, views: front.views,
      connectTime: appearance == .plain ? .atLaunch : .atLogin,
      isAttended: isatty(STDIN_FILENO) == 1, environment: environment)
    root = RootBuilder(dependency: component).build(withListener: ending)
  }

  /// Plays until the person quits, or it cannot go on.
  static func run(_ options: ClientOptions) -> ExitCode {
    // A reader of our output that goes away is an error of writing, not the end at once.
    signal(SIGPIPE, SIG_IGN)
    // Without an input the loop would get its descriptor; an empty one is an end at once.
    if fcntl(STDIN_FILENO, F_GETFD) == -1 { _ = open("/dev/null", O_RDONLY) }
    let environment = ProcessInfo.processInfo.environment
    let appearance = Appearance.choose(
      wantsPlain: options.wantsPlain,
      isAtTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
      environment: environment)
    do throws(SystemError) {
      return try ClientProgram(
        options, appearance, environment: environment, loop: try EventLoop()
      ).play()
    } catch {
      StandardOutput.printError("The client cannot go on: \(error).")
      return .ioError
    }
  }

  private func play() throws(SystemError) -> ExitCode {
    defer { front.stop() }
    try front.start()
    root.launch(from: front.window)
    while ending.farewell == nil {
      try loop.turn(wait: nil)
      front.turnDidEnd()
    }
    front.stop()
    root.interactable.deactivate()
    // What was written last goes out.
    try loop.turn(wait: .zero)
    if let signal = ending.signal { Self.die(of: signal) }
    guard let farewell = ending.farewell else { return .ok }
    if let sentence = farewell.sentence { StandardOutput.printError(sentence) }
    return farewell.code
  }

  /// Ends as a program does that does not catch the signal, so that a shell sees what it was.
  private static func die(of number: Int32) {
    signal(number, SIG_DFL)
    SignalMask.unblock([number])
    raise(number)
  }
}

/// How the program ends; the first word counts.
private final class Ending: RootListener {
  private(set) var farewell: Farewell?
  private(set) var signal: Int32?

  func rootDidFinish(_ farewell: Farewell) {
    end(farewell)
  }

  func terminalDidEnd(_ end: TerminalEnd) {
    switch end {
    case .signal(let number):
      if farewell == nil { signal = number }
      self.end(Farewell(code: .ok, sentence: nil))
    case .hangUp:
      self.end(Farewell(code: .ioError, sentence: "The terminal is gone."))
    }
  }

  func end(_ farewell: Farewell) {
    if self.farewell == nil { self.farewell = farewell }
  }
}
