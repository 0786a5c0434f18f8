import Shared

/// A word of the operator to everyone who is logged in, and to those who log in later.
struct Announcement {
  /// The maximum length of a text, in characters.
  static let maxLength = 200

  let text: String
  /// When the server stops; `nil` if it does not stop.
  let end: Duration?

  /// The server begins no more games, and stops at a time or earlier.
  static func stop(at end: Duration) -> Announcement {
    Announcement(text: "The server is stopping. No new games begin.", end: end)
  }

  /// The server does not stop after all.
  static let goesOn = Announcement(
    text: "The server goes on. New games begin again.", end: nil)

  func event(at now: Duration) -> Event {
    .announcement(text: text, timeLeft: end.map { max(.zero, $0 - now) })
  }
}
