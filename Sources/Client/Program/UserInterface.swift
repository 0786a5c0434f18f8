import Shared

/// The interface between the client's tree and the person: plain lines or a full screen.
protocol UserInterface: AnyObject {
  var viewFactory: any ViewFactory { get }
  var window: any Window { get }
  /// Starts to read input. Throws a `SystemError` if the terminal or standard input cannot be used.
  func start() throws(SystemError)
  /// Called after each turn of the loop.
  func turnDidEnd()
  /// Stops reading, and restores the terminal. A second call has no effect.
  func stop()
}

/// The kind of user interface.
enum InterfaceMode {
  /// One line after another: for pipes, for simple terminals, and on request.
  case plain
  case fullScreen

  /// Chooses the mode. `isAtTerminal`: standard input and output are both terminals. `NO_COLOR` has
  /// the meaning of no-color.org.
  static func choose(
    wantsPlain: Bool, isAtTerminal: Bool, environment: [String: String]
  ) -> InterfaceMode {
    let terminal = environment["TERM"] ?? ""
    let wantsNoColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let canDraw = isAtTerminal && !terminal.isEmpty && terminal != "dumb"
    return canDraw && !wantsPlain && !wantsNoColor ? .fullScreen : .plain
  }
}
