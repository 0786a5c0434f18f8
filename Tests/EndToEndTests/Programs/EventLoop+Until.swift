import Shared

extension EventLoop {
  /// Turns until something has come about. Nothing takes a minute; a test that waits for what never
  /// comes ends.
  func turn(until what: String, _ condition: () -> Bool) throws {
    let end = now + .seconds(60)
    while !condition() {
      guard now < end else {
        throw RunningProgram.Silent(description: "It never came about that \(what).")
      }
      try turn(wait: .milliseconds(30))
    }
  }
}
