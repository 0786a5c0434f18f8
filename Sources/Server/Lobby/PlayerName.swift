import Foundation
import Shared

/// A name that a person may have.
struct PlayerName {
  /// The longest name, in Unicode scalars.
  static let longest = ProtocolLimits.maxNameLength
  /// No scalar decomposes into more than 18 others (UAX #15), and lower case makes those no more.
  private static let longestForm = longest * 18
  /// Nor into more than 3 combining marks.
  private static let mostMarks = longest * 3

  /// As the person wrote it, without white space at its ends.
  let text: String
  /// What names are compared by: two that differ only in case or compatibility form have one key.
  let key: String

  /// `nil` where nobody may have that name: it is blank or too long, holds a control or format
  /// character or a double quote, or is the bot's.
  init?(_ name: String) {
    let text: String
    if Self.isPlain(name) {
      guard name.utf8.count <= Self.longest else { return nil }
      text = name
    } else {
      text = Self.trimmed(name)
      guard (1...Self.longest).contains(text.unicodeScalars.count),
        text.unicodeScalars.allSatisfy(Self.isAllowed)
      else { return nil }
    }
    let key = Self.key(ofTrimmed: text)
    guard key != Player.botName else { return nil }
    self.text = text
    self.key = key
  }

  static func isBlank(_ name: String) -> Bool {
    !isPlain(name) && name.unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }

  /// NFKC, each character's full lower case, NFKC again, up to canonical equivalence, by which
  /// strings are compared; white space at the ends does not count. What is longer than any form of
  /// a name, or has more marks, has the empty key, which nobody's is.
  static func key(of name: String) -> String {
    key(ofTrimmed: isPlain(name) ? name : trimmed(name))
  }

  private static func key(ofTrimmed name: String) -> String {
    guard name.utf8.count <= longestForm || name.unicodeScalars.count <= longestForm else {
      return ""
    }
    if isPlainKey(name) { return name }
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    // Marks are put in order, which takes the square of how many there are in a row.
    guard countOfMarks(name) <= mostMarks else { return "" }
    // Decomposed, for Foundation composes wrongly beyond U+FFFF on Linux.
    let decomposed = name.decomposedStringWithCompatibilityMapping.unicodeScalars
    // By now it can be 18 times as long as any form, and each step costs as much.
    guard decomposed.count <= longestForm else { return "" }
    return decomposed.map(\.properties.lowercaseMapping).joined()
      .decomposedStringWithCompatibilityMapping
  }

  /// Whether a name is of nothing but ASCII that anybody may have in a name, and without white space
  /// at its ends: nearly every one. To ask Unicode about each of its characters costs fifty times as
  /// much.
  private static func isPlain(_ name: String) -> Bool {
    let space = UInt8(ascii: " ")
    let isPlain = name.utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = bytes.first, first != space, bytes.last != space else { return false }
      return bytes.allSatisfy { $0 >= space && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }
    return isPlain ?? false
  }

  /// Whether there is nothing to do for lower case and compatibility.
  private static func isPlainKey(_ name: String) -> Bool {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let isPlain = name.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 < 0x80 && !capitals.contains($0) }
    }
    return isPlain ?? false
  }

  private static func countOfMarks(_ name: String) -> Int {
    name.unicodeScalars.count { $0.properties.canonicalCombiningClass != .notReordered }
  }

  private static func trimmed(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: scalar != "\""
    }
  }
}
