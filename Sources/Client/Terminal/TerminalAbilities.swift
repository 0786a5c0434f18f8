import Shared

/// What the terminal can show and send, as far as the environment tells.
struct TerminalAbilities: Equatable {
  /// Whether text can have any character, because the locale's encoding is UTF-8. Otherwise only
  /// ASCII is safe.
  var hasUnicode: Bool
  /// Whether the terminal has the lines and signs that the full screen draws.
  var hasSigns: Bool
  var hasColors: Bool
  /// Whether the terminal has all sixteen colours, not only the first eight.
  var hasBrightColors: Bool
  var hasMouse: Bool

  init(in environment: [String: String]) {
    hasUnicode = LocaleEncoding.isUTF8(in: environment)
    // screen(1) and tmux(1) name the terminal around them after a dot.
    let name = (environment["TERM"] ?? "").split(separator: ".").last ?? ""
    func isKind(_ prefixes: [String], before isNext: (Character) -> Bool = { _ in true }) -> Bool {
      prefixes.contains { prefix in
        name.hasPrefix(prefix) && name.dropFirst(prefix.count).first.map(isNext) != false
      }
    }
    let isMonochrome = name == "dumb" || isKind(["vt"]) { $0.isNumber }
    let isConsole =
      isMonochrome
      || isKind(["linux", "cons", "ansi", "sun", "wsvt", "pcvt", "hurd", "mach"]) { !$0.isLetter }
    hasSigns = hasUnicode && !isConsole
    hasColors = !isMonochrome
    hasBrightColors = !isConsole
    hasMouse = !isConsole
  }
}
