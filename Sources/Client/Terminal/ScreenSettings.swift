import Shared

/// What the full screen may use of the terminal.
struct ScreenSettings: Equatable {
  var hasColors = true
  var hasMouse = true
  /// Whether the bell rings at the start. The person can change that later.
  var hasBell = true
  /// Which characters are drawn.
  var characters = CharacterRange.all
  /// Whether the terminal has all sixteen colours, not only the first eight.
  var hasBrightColors = true
  /// Whether Ctrl-Z suspends the program.
  var canSuspend = true
  /// Whether the bytes say how many columns a character takes; see `FrameWriter`.
  var marksWidths = false
  /// Whether the screen names what can be clicked, for those who do not see it.
  var namesButtons = false
  /// The duration of one step of an animation. Each step is a frame.
  var tickLength = Duration.milliseconds(120)
}

/// The characters that are written to a terminal.
enum CharacterRange {
  case all
  /// ASCII characters for lines, frames and signs; letters stay as they are.
  case lettersAndASCII
  /// ASCII characters only. Others become “?”.
  case onlyASCII

  /// For a person who has typed another character although only ASCII can be read.
  static let refusal = "Only ASCII can be typed in this locale."

  /// Returns the text with which this range shows a character. It takes as many columns.
  func text(for character: Character) -> String {
    switch self {
    case .all: String(character)
    case .lettersAndASCII: String(character.asciiSign)
    case .onlyASCII: character.asciiText
    }
  }
}

extension ClientOptions {
  /// Returns the settings of the full screen. An option wins over what the terminal can do, and
  /// over `NO_COLOR`, which works as no-color.org defines it.
  func screenSettings(in environment: [String: String]) -> ScreenSettings {
    let terminal = TerminalAbilities(in: environment)
    let isColorWanted = environment["NO_COLOR"].map(\.isEmpty) ?? true
    return ScreenSettings(
      hasColors: hasColors ?? (isColorWanted && terminal.hasColors),
      hasMouse: hasMouse ?? terminal.hasMouse, hasBell: hasBell,
      characters: characters(in: terminal), hasBrightColors: terminal.hasBrightColors,
      canSuspend: !isKiosk)
  }

  /// Returns the characters that may be written to a terminal. `--ascii no` insists on all.
  func characters(in terminal: TerminalAbilities) -> CharacterRange {
    if isASCII == false { return .all }
    if !terminal.hasUnicode { return .onlyASCII }
    return isASCII == true || !terminal.hasSigns ? .lettersAndASCII : .all
  }
}
