import Shared

extension PrometheusText {
  /// The name ends with `_seconds`.
  mutating func addHistogram(_ name: String, _ histogram: Histogram, _ help: String) {
    addHead(name, "histogram", help)
    var count = 0
    for (bound, number) in zip(histogram.bounds, histogram.counts) {
      count += number
      addSample("\(name)_bucket", "\(count)", [("le", "\(bound.inSeconds)")])
    }
    addSample("\(name)_bucket", "\(histogram.count)", [("le", "+Inf")])
    addSample("\(name)_sum", "\(histogram.sum.inSeconds)")
    addSample("\(name)_count", "\(histogram.count)")
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
