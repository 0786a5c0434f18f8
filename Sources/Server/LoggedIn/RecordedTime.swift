import Shared

/// The time that was left for a move, as lines tell it: in milliseconds.
struct RecordedTime {
  /// The most that there are stand for no limit.
  private let milliseconds: UInt32

  /// `nil` where it is more than 49 days.
  init?(_ time: Duration?) {
    guard let time else {
      milliseconds = .max
      return
    }
    guard let milliseconds = UInt32(exactly: time.milliseconds), milliseconds < .max else {
      return nil
    }
    self.milliseconds = milliseconds
  }

  /// `nil` where there was no limit.
  var time: Duration? { milliseconds == .max ? nil : .milliseconds(milliseconds) }
}
