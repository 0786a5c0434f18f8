import Foundation
import RIBs

/// A session at netcat, written down for people, that tests repeat.
///
/// The name before `| ` says whose line it is. `$` begins a session, `> ` marks what is typed, `$
/// end` means that the server has closed, and everything else is a line of the server. `…` stands
/// for any text.
struct Transcript {
  enum Step: Equatable {
    case connect
    case type(String)
    case expect(String)
    case end
  }

  let steps: [(person: String, step: Step)]

  init(contentsOf file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    steps = text.split(separator: "\n").compactMap { line in
      guard let bar = line.range(of: "| ") else { return nil }
      let rest = String(line[bar.upperBound...])
      let step: Step =
        switch rest {
        case "$ end": .end
        case _ where rest.hasPrefix("$ "): .connect
        case _ where rest.hasPrefix("> "): .type(String(rest.dropFirst(2)))
        default: .expect(rest)
        }
      return (String(line[..<bar.lowerBound]), step)
    }
  }

  /// Whether a line matches the transcript.
  static func matches(_ line: String, _ expected: String) -> Bool {
    let pieces = expected.components(separatedBy: "…")
    guard pieces.count > 1 else { return line == expected }
    guard let first = pieces.first, let last = pieces.last, line.hasPrefix(first),
      line.hasSuffix(last)
    else { return false }
    var rest = line.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
      guard let found = rest.range(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count
  }
}
