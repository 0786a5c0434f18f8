import Shared

/// What the operator looks for in names: `*` is any text, and `?` any character. A text without
/// either may stand anywhere in a name. Compared in the form in which names are compared.
struct NamePattern: Sendable {
  private let pattern: [Character]

  init(_ text: String) {
    let key = Array(PlayerName.key(of: text)?.text ?? text.lowercased())
    let isPattern = key.contains { $0 == "*" || $0 == "?" }
    pattern = isPattern ? key : ["*"] + key + ["*"]
  }

  func matches(_ key: ExactText) -> Bool {
    let text = Array(key.text)
    var (position, index) = (0, 0)
    // Where the last star is, and how far it reaches.
    var star: (index: Int, end: Int)?
    while position < text.count {
      if index < pattern.count, pattern[index] == "*" {
        star = (index, position)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[position] {
        (position, index) = (position + 1, index + 1)
      } else if let last = star {
        star = (last.index, last.end + 1)
        (position, index) = (last.end + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }
}
