import RIBs
import Shared

/// A view of the full screen.
protocol ScreenView: ViewControllable {
  /// The minimum size in which the view can be drawn.
  var minimumSize: Size { get }
  /// The keys and their meanings, for the list that `?` shows.
  var keys: [KeyHelp] { get }
  /// Draws into an empty frame of at least `minimumSize`.
  func draw(into frame: inout Frame)
  func press(_ key: Key) -> KeyEffect
  /// The free area for the news of the match; `nil` if there is none. Valid after `draw`.
  var newsArea: Area? { get }
  /// Shows a piece of news, in a view without an area for it.
  func showNews(_ news: String)
  /// Whether there is news of the match to show in the area for it.
  func show(hasNews: Bool)
  /// Removes the notices: what they say is over.
  func removeNotices()
  /// What a person must know even if the terminal is too small for the view, such as whose turn it
  /// is.
  var summary: [String] { get }
  /// What a screen reader says when it changes: the summary, without times, and the last move.
  var spoken: [String] { get }
  /// The key that leaves the view, which works also then; `nil` if only Ctrl-C does.
  var leaveKey: KeyHelp? { get }
  /// Shows a notice: an event, or the reason for a refusal. The view removes advice to type
  /// something.
  func say(_ sentence: String)
  /// Shows what the person has just done, until the next key or notice.
  func confirm(_ sentence: String)
  /// Whether the view is showing a question and waits for its answer.
  var isAsking: Bool { get }
  /// Whether a text field of the view has the keys. Only then pasted text arrives, as characters.
  var isTyping: Bool { get }
  /// Whether Tab has an effect that no other key has.
  var usesTab: Bool { get }
  /// Whether the person is to move.
  var isOwnTurn: Bool { get }
  /// What to send to a friend; `nil` unless the person waits for one.
  var link: String? { get }
  /// Whether the person has asked for something that may replace this view. That change is then no
  /// surprise.
  var isAwaitingReply: Bool { get }
  /// When a match was last on in this view; `nil` if never.
  var lastMatch: Duration? { get }
  /// The reason to ring the bell when this view appears by itself; `nil` if there is none.
  var occasion: Bell.Occasion? { get }
  /// The connection to the server was lost, or is back.
  func show(isConnected: Bool)
  /// The question before Ctrl-C ends the program; `nil` if nothing would be lost.
  var quitQuestion: String? { get }
}

extension ScreenView {
  var newsArea: Area? { nil }
  func showNews(_ news: String) {}
  func show(hasNews: Bool) {}
  func removeNotices() {}
  var summary: [String] { [] }
  var spoken: [String] { summary }
  var leaveKey: KeyHelp? { nil }
  func say(_ sentence: String) {}
  func confirm(_ sentence: String) { say(sentence) }
  var isAsking: Bool { false }
  var isTyping: Bool { false }
  var usesTab: Bool { false }
  var isOwnTurn: Bool { false }
  var link: String? { nil }
  var isAwaitingReply: Bool { false }
  var lastMatch: Duration? { nil }
  var occasion: Bell.Occasion? { nil }
  func show(isConnected: Bool) {}
  var quitQuestion: String? { nil }
}

/// The effect of a key on a view.
enum KeyEffect: Equatable {
  case used
  /// The key has no meaning in the view. The root view handles it.
  case unused
  case leaveGame
  /// The person ends the program.
  case quit
}

/// A line of the list of keys.
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
