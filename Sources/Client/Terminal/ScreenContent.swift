/// What a `Screen` shows: it draws the whole picture each time, and gets the keys.
protocol ScreenContent: AnyObject {
  /// The screen says so in a sentence where the terminal is smaller, and does not ask for a drawing.
  var minimumSize: Size { get }

  /// Draws into an empty frame of the terminal's size.
  func draw(into frame: inout Frame)

  /// A key that was typed; where the terminal is too small, Ctrl-C alone comes.
  func press(_ key: Key)
}
