import Shared

extension SlidingWindow {
  /// How often a server may move a session before it is resumed. Servers that do not agree could
  /// move it for ever. One more move counts as a lost connection.
  static let moves = SlidingWindow(max: 10, within: .seconds(5))
  /// How many connections may bring lines that make no sense and be replaced by others. What was
  /// damaged on the way is whole the next time, but a program that is no server stays one.
  static let damage = SlidingWindow(max: 3, within: .seconds(60))
}
