import Foundation
import Shared

/// Writes metrics in the text format 0.0.4 of Prometheus. The values of labels need no escapes:
/// they come from closed sets of words.
struct PrometheusText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// A counter only grows, and its name ends with `_total`. A gauge may fall.
  enum Kind: String {
    case counter, gauge
  }

  private(set) var text = ""

  mutating func add(_ kind: Kind, _ name: String, _ value: some Numeric, _ help: String) {
    addHead(name, kind.rawValue, help)
    addSample(name, "\(value)")
  }

  /// One number for each value of a label.
  mutating func add(
    _ kind: Kind, _ name: String, by label: String, _ values: [(String, Int)], _ help: String
  ) {
    addHead(name, kind.rawValue, help)
    for (word, value) in values { addSample(name, "\(value)", [(label, word)]) }
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
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
