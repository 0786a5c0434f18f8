import Foundation
import Shared

/// Writes metrics in the text format 0.0.4 of Prometheus. The values of labels need no escapes:
/// they come from closed sets of words.
struct PrometheusText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// A number that only grows. The name ends with `_total`.
  mutating func addCounter(_ name: String, _ value: Int, _ help: String) {
    add(name, "counter", "\(value)", help)
  }

  mutating func addCounter(_ name: String, _ value: Duration, _ help: String) {
    add(name, "counter", "\(value.inSeconds)", help)
  }

  /// One counter for each value of a label.
  mutating func addCounters(
    _ name: String, by label: String, _ values: [(String, Int)], _ help: String
  ) {
    add(name, "counter", by: label, values, help)
  }

  mutating func addGauge(_ name: String, _ value: Int, _ help: String) {
    add(name, "gauge", "\(value)", help)
  }

  mutating func addGauge(_ name: String, _ value: Double, _ help: String) {
    add(name, "gauge", "\(value)", help)
  }

  /// One gauge for each value of a label.
  mutating func addGauges(
    _ name: String, by label: String, _ values: [(String, Int)], _ help: String
  ) {
    add(name, "gauge", by: label, values, help)
  }

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

  private mutating func add(_ name: String, _ type: String, _ value: String, _ help: String) {
    addHead(name, type, help)
    addSample(name, value)
  }

  private mutating func add(
    _ name: String, _ type: String, by label: String, _ values: [(String, Int)], _ help: String
  ) {
    addHead(name, type, help)
    for (word, value) in values { addSample(name, "\(value)", [(label, word)]) }
  }

  private mutating func addHead(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func addSample(
    _ name: String, _ value: String, _ labels: [(name: String, value: String)] = []
  ) {
    text += name
    if !labels.isEmpty {
      text += "{\(labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ","))}"
    }
    text += " \(value)\n"
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
