/// What the far end sends. Each is one line.
enum NimEvent: Equatable {
  case heap(Heap)
  case refused(HeapError)
  case over(Mark)

  var line: String {
    switch self {
    case .heap(let heap): "heap \(heap.matches) \(heap.turn.rawValue)"
    case .refused(let refusal): "refused \(refusal.rawValue)"
    case .over(let winner): "over \(winner.rawValue)"
    }
  }

  /// `nil` if the line is no event.
  init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("heap", 3):
      guard let matches = Int(words[1]), 0...12 ~= matches, let turn = Mark(rawValue: words[2])
      else { return nil }
      self = .heap(Heap(matches: matches, turn: turn))
    case ("refused", 2):
      guard let refusal = HeapError(rawValue: words[1]) else { return nil }
      self = .refused(refusal)
    case ("over", 2):
      guard let winner = Mark(rawValue: words[1]) else { return nil }
      self = .over(winner)
    default: return nil
    }
  }
}
