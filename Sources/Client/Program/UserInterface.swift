import Shared

/// What stands between the client's tree and the person: plain lines or a full screen.
protocol UserInterface: AnyObject {
  var viewFactory: any ViewFactory { get }
  var window: any Window { get }
  /// Begins to read what is typed.
  func start() throws(SystemError)
  /// A turn of the loop is over.
  func turnDidEnd()
  /// Stops reading, and gives the terminal back as it was. Twice is once.
  func stop()
}

/// Which set of views the program shows itself with.
enum InterfaceMode {
  /// One line after another, for whoever wants it so, for pipes and for simple terminals.
  case plain
  case fullScreen

  /// The choice of a program whose standard input and output are both at a terminal or not;
  /// `NO_COLOR` counts as on no-color.org.
  static func choose(
    wantsPlain: Bool, isAtTerminal: Bool, environment: [String: String]
  ) -> InterfaceMode {
    let terminal = environment["TERM"] ?? ""
    let wantsNoColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let canDraw = isAtTerminal && !terminal.isEmpty && terminal != "dumb"
    return canDraw && !wantsPlain && !wantsNoColor ? .fullScreen : .plain
  }
}
