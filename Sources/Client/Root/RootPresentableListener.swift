/// What a person can do wherever they are.
protocol RootPresentableListener: AnyObject {
  /// Leaves a running game.
  func leaveGame()
  /// Says something to all in the match.
  func say(_ text: String)
  func quit()
  /// What the person types cannot be read any more.
  func inputDidFail(_ sentence: String)
}
