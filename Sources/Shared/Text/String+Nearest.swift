extension String {
  /// Returns the one of some words that needs the fewest characters inserted, removed or replaced
  /// to become this text (the Levenshtein distance); the first of several. `nil` without words.
  package func nearest(of words: [String]) -> String? {
    words.map { (word: $0, distance: distance(to: $0)) }
      .min { $0.distance < $1.distance }?.word
  }

  private func distance(to other: String) -> Int {
    let other = Array(other)
    // The distances of the beginning of this text to each beginning of the other.
    var row = Array(0...other.count)
    for (index, character) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (other[column] == character ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
