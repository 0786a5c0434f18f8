import Foundation

extension Date {
  init(since1970 time: Duration) { self.init(timeIntervalSince1970: time / .seconds(1)) }

  /// To the millisecond.
  var since1970: Duration { .milliseconds(Int((timeIntervalSince1970 * 1_000).rounded())) }
}

extension Duration {
  /// The length, without its direction.
  var magnitude: Duration { self < .zero ? .zero - self : self }

  var wholeMilliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
