/// What the attacker's process reports to the process that started it.
struct AttackerReport {
  /// How many lines the attacker received.
  let receivedLines: Int
  /// What it opened and received, for a person.
  let summary: String

  init(receivedLines: Int, summary: String) {
    self.receivedLines = receivedLines
    self.summary = summary
  }

  /// Reads what `text` returns; `nil` for anything else.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard lines.count == 2, let count = Int(lines[0]) else { return nil }
    self.init(receivedLines: count, summary: String(lines[1]))
  }

  var text: String { "\(receivedLines)\n\(summary)\n" }
}
