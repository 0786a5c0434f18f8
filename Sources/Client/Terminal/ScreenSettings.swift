/// What the full screen may use of the terminal.
struct ScreenSettings: Equatable {
  var hasColors = true
  var hasMouse = true
  /// Whether the bell rings at the start. The person can change that later.
  var hasBell = true
  /// Whether lines, frames and signs are drawn with ASCII characters.
  var isASCII = false
}

extension ClientOptions {
  /// Returns the settings of the full screen. An option wins over `NO_COLOR`, which works as
  /// no-color.org defines it.
  func screenSettings(in environment: [String: String]) -> ScreenSettings {
    let isColorWanted = environment["NO_COLOR"].map(\.isEmpty) ?? true
    return ScreenSettings(
      hasColors: hasColors ?? isColorWanted, hasMouse: hasMouse, hasBell: hasBell,
      isASCII: isASCII)
  }
}
