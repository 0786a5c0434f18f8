/// What the near end sends. Each is one line.
enum NimCommand: Equatable {
  case begin
  case take(Int)
  case leave

  var line: String {
    switch self {
    case .begin: "begin"
    case .take(let count): "take \(count)"
    case .leave: "leave"
    }
  }

  /// `nil` if the line is no command.
  init?(line: String) {
    let words = line.split(separator: " ")
    switch (words.first, words.count) {
    case ("begin", 1): self = .begin
    case ("take", 2):
      guard let count = Int(words[1]) else { return nil }
      self = .take(count)
    case ("leave", 1): self = .leave
    default: return nil
    }
  }
}
