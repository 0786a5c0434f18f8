/// Writes metrics in the text format 0.0.4 of Prometheus. The values of labels need no escapes:
/// they come from closed sets of words.
package struct PrometheusText {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// A counter only grows, and its name ends with `_total`. A gauge may fall.
  package enum Kind: String {
    case counter, gauge
  }

  package private(set) var text = ""

  package init() {}

  package mutating func add(_ kind: Kind, _ name: String, _ value: some Numeric, _ help: String) {
    addHead(name, kind.rawValue, help)
    addSample(name, "\(value)")
  }

  /// One number for each value of a label.
  package mutating func add(
    _ kind: Kind, _ name: String, by label: String, _ values: [(String, Int)], _ help: String
  ) {
    addHead(name, kind.rawValue, help)
    for (word, value) in values { addSample(name, "\(value)", [(label, word)]) }
  }

  /// Writes the lines before the samples of a metric.
  package mutating func addHead(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  package mutating func addSample(
    _ name: String, _ value: String, _ labels: [(name: String, value: String)] = []
  ) {
    text += name
    if !labels.isEmpty {
      text += "{\(labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ","))}"
    }
    text += " \(value)\n"
  }
}
