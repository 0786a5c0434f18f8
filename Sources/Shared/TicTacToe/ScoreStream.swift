/// Who plays a series and how it stands, for all RIBs that show it.
package protocol ScoreStream: AnyObject {
  /// Delivers the series on subscribe and at each change; `nil` while there is none.
  var series: Stream<Series?> { get }
}

/// The `ScoreStream` as the RIB that keeps the score holds it.
package final class MutableScoreStream: ScoreStream {
  private let current = CurrentValue<Series?>(nil)

  package init() {}

  package var series: Stream<Series?> { current.stream }

  /// The series sent last.
  package var latest: Series? { current.value }

  package func update(with series: consuming Series?) {
    current.send(series)
  }
}
