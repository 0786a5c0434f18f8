extension String {
  /// A longer text is no misspelling of a name of this project.
  private static let maxLength = 32

  /// Returns the one of some words of which this text is probably a misspelling, or which it
  /// shortens or lengthens; the likeliest, the first of several. `nil` if there is no likeness.
  /// Case, hyphens and underscores do not count.
  package func likely(among words: [String]) -> String? {
    guard utf8.count <= Self.maxLength else { return nil }
    let letters = plainLetters
    return words.compactMap { word in letters.distance(toLike: word.plainLetters).map { (word, $0) }
    }
    .min { $0.1 < $1.1 }?.0
  }

  private var plainLetters: [Character] {
    lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
  }
}

extension [Character] {
  /// The number of errors in this text if it is a misspelling of a word; `nil` if there are too
  /// many for the length of the word. The beginning of a word has none.
  fileprivate func distance(toLike word: [Character]) -> Int? {
    if count >= 3, word.starts(with: self) { return 0 }
    let allowed =
      switch word.count {
      case ...2: 0
      case 3...5: 1
      case 6...8: 2
      default: 3
      }
    if abs(count - word.count) <= allowed {
      let distance = distance(to: word)
      if distance <= allowed, distance < count { return distance }
    }
    return word.count >= 3 && starts(with: word) ? count - word.count : nil
  }

  /// The number of characters to insert, remove or replace, or of neighbors to swap, to turn this
  /// text into another (the optimal string alignment distance).
  private func distance(to other: [Character]) -> Int {
    // The distances of the beginning of this text to each beginning of the other, for the last
    // three lengths of it.
    var rows = [[], [], [Int](0...other.count)]
    for (index, character) in enumerated() {
      var row = [index + 1]
      for column in other.indices {
        let isSame = other[column] == character
        var distance = Swift.min(rows[2][column] + (isSame ? 0 : 1), row[column] + 1)
        distance = Swift.min(distance, rows[2][column + 1] + 1)
        if index > 0, column > 0, self[index - 1] == other[column], other[column - 1] == character {
          distance = Swift.min(distance, rows[1][column - 1] + 1)
        }
        row.append(distance)
      }
      rows = [rows[1], rows[2], row]
    }
    return rows[2][other.count]
  }
}

extension String {
  /// The text in quotation marks, to repeat it in a sentence; `nil` if it is empty, too long, or
  /// has a character that may not be shown. Secrets are longer than what is repeated, as a rule.
  package var quoted: String? {
    guard (1...16).contains(unicodeScalars.count), unicodeScalars.allSatisfy(\.isShown) else {
      return nil
    }
    return "“\(self)”"
  }
}

extension Unicode.Scalar {
  fileprivate var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }
}
