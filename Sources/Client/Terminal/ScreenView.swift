import Shared

/// A view of the full screen.
protocol ScreenView: ViewControllable {
  /// The least room that it can be drawn in.
  var minimumSize: Size { get }
  /// What the keys do, for who asks by `?`.
  var keys: [KeyHelp] { get }
  /// Draws into an empty frame that is at least of its minimum size.
  func draw(into frame: inout Frame)
  func press(_ key: Key) -> KeyEffect
  /// Where there is room for what goes on around the match, `nil` where there is none; asked only
  /// where the view is drawn.
  var newsArea: NewsScene.Area? { get }
  /// What is new around the match, for a view that has no area for it.
  func tell(_ news: String)
  /// Shows what has happened, or why a wish was refused; what it says about typing is of no use here.
  func say(_ sentence: String)
  /// Whether the next key answers a question.
  var isAsking: Bool { get }
}

extension ScreenView {
  var newsArea: NewsScene.Area? { nil }
  func tell(_ news: String) {}
  func say(_ sentence: String) {}
  var isAsking: Bool { false }
}

/// What becomes of a key that a view was given.
enum KeyEffect: Equatable {
  /// The view has seen to it.
  case used
  /// It means nothing to the view; the root view looks at it then.
  case unused
  /// The person leaves the running game.
  case leaveGame
  /// The person ends the program.
  case quit
}

/// A line of the list that `?` shows.
struct KeyHelp: Equatable {
  let keys: String
  let meaning: String

  init(_ keys: String, _ meaning: String) {
    self.keys = keys
    self.meaning = meaning
  }
}

extension Screen: Window {
  func show(_ root: any ViewControllable) {
    content = root as? any ScreenContent
  }
}
