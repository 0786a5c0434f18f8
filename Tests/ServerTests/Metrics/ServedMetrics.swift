import Foundation
import Testing

/// A page of metrics, read again by the rules of the text format 0.0.4.
struct ServedMetrics {
  /// The values by name and labels: `name{label="value"}`.
  private(set) var values: [String: Double] = [:]
  /// The types by name.
  private(set) var types: [String: String] = [:]

  /// Expects that the text follows the format: `HELP` and `TYPE` stand before the samples of each
  /// metric, no sample comes twice, and the buckets of a histogram are cumulative.
  init(_ text: String) throws {
    try #require(text.hasSuffix("\n"))
    var helped: String?
    var current = ""
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if let help = line.wholeMatch(of: /# HELP ([a-z_]+) (\S.*)/) {
        helped = String(help.1)
      } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
        current = String(type.1)
        try #require(helped == current && types[current] == nil, "\(line)")
        types[current] = String(type.2)
      } else {
        try addSample(String(line), of: current)
      }
    }
    for (name, type) in types {
      #expect(name.hasSuffix("_total") == (type == "counter"), "\(name)")
      if type == "histogram" { try checkHistogram(name) }
    }
  }

  private mutating func addSample(_ line: String, of metric: String) throws {
    let pattern = /([a-z_]+)(\{[a-z]+="[^"\\\n]*"\})? (\S+)/
    let sample = try #require(line.wholeMatch(of: pattern), "\(line)")
    let name = String(sample.1)
    if types[metric] == "histogram" {
      #expect(["_bucket", "_sum", "_count"].map { metric + $0 }.contains(name))
    } else {
      #expect(name == metric)
    }
    let key = name + (sample.2.map(String.init) ?? "")
    #expect(values[key] == nil, "\(key) comes twice")
    let value: Double = try #require(Double(sample.3), "\(line)")
    values[key] = value
  }

  private func checkHistogram(_ name: String) throws {
    let prefix = "\(name)_bucket{le=\""
    let buckets = try values.filter { $0.key.hasPrefix(prefix) }.map { key, count in
      let bound = key.dropFirst(prefix.count).dropLast(2)
      return (bound: bound == "+Inf" ? .infinity : try #require(Double(bound)), count: count)
    }.sorted { $0.bound < $1.bound }
    #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.count <= $1.count }, "\(name)")
    #expect(buckets.last?.bound == .infinity)
    #expect(buckets.last?.count == values["\(name)_count"])
    #expect(values["\(name)_sum"] != nil)
  }

  subscript(key: String) -> Double? { values[key] }

  /// The names of all samples, as a query uses them.
  var names: Set<String> { Set(values.keys.map { String($0.prefix { $0 != "{" }) }) }
}
