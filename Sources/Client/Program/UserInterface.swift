import Shared

/// What stands between the client's tree and the person: plain lines or a full screen.
protocol Front: AnyObject {
  var views: any Views { get }
  var window: any Window { get }
  /// Begins to read what is typed.
  func start() throws(SystemError)
  /// A turn of the loop is over.
  func turnDidEnd()
  /// Stops reading, and gives the terminal back as it was. Twice is once.
  func stop()
}
