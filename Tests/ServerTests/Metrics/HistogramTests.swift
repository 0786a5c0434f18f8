import Testing

@testable import Server

@Suite struct HistogramTests {
  @Test func `a time counts in the first bucket whose bound it does not exceed`() {
    var histogram = Histogram([.milliseconds(1), .milliseconds(5)])
    for time: Duration in [.zero, .milliseconds(1), .microseconds(1_001), .seconds(9)] {
      histogram.add(time)
    }
    histogram.add(.milliseconds(5), number: 3)
    #expect(histogram.counts == [2, 4, 1])
    #expect(histogram.count == 7)
    #expect(histogram.sum == .seconds(9) + .microseconds(17_001))
  }

  @Test(arguments: [Histogram.fast, .slow])
  func `the bounds of the histograms ascend`(histogram: Histogram) {
    #expect(zip(histogram.bounds, histogram.bounds.dropFirst()).allSatisfy { $0 < $1 })
  }
}
