/// Which set of views the program shows itself with.
enum Appearance {
  /// One line after another, for whoever wants it so, for pipes and for simple terminals.
  case plain
  case fullScreen

  /// The choice of a program whose standard input and output are both at a terminal or not;
  /// `NO_COLOR` counts as on no-color.org.
  static func choose(
    wantsPlain: Bool, isAtTerminal: Bool, environment: [String: String]
  ) -> Appearance {
    let terminal = environment["TERM"] ?? ""
    let wantsNoColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let canDraw = isAtTerminal && !terminal.isEmpty && terminal != "dumb"
    return canDraw && !wantsPlain && !wantsNoColor ? .fullScreen : .plain
  }
}
