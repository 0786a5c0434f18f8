package import RIBs

/// The players and the score of a series, for the RIBs that show them.
package protocol ScoreStream: AnyObject {
  /// Delivers the series on subscribe and at each change; `nil` while there is none.
  var series: Stream<Series?> { get }
}

/// The writable `ScoreStream`, for the RIB that keeps the score.
package final class MutableScoreStream: ScoreStream {
  private let current = CurrentValue<Series?>(nil)

  package init() {}

  package var series: Stream<Series?> { current.stream }

  /// The series that was sent last.
  package var latest: Series? { current.value }

  package func update(with series: consuming Series?) {
    current.send(series)
  }
}
