import Foundation

/// The reason why a text is not allowed as a name.
package enum PlayerNameError: Error, CaseIterable {
  /// The name is empty, or only white space.
  case blank
  case tooLong
  case doubleQuote
  /// The name has an invisible character that is not allowed, or no visible character.
  case invisible
  /// The name is the bot's.
  case bot
}

/// A name that a person may have.
package struct PlayerName: Sendable {
  /// The maximum length of a name, in characters (Unicode scalars).
  package static let maxLength = 24

  /// As the person wrote it, without white space at its ends.
  package let text: String
  /// The key with which names are compared. Two names that differ only in case, compatibility form,
  /// look-alike letters or what cannot be seen have the same key.
  package let key: ExactText

  /// Checks a text of any length.
  ///
  /// - Throws: the first reason why the text is not allowed as a name.
  package init(_ name: String) throws(PlayerNameError) {
    if Self.isPlain(name) {
      guard name.utf8.count <= Self.maxLength else { throw .tooLong }
      text = name
    } else {
      let characters = try Self.trimmed(name)
      guard !characters.isEmpty else { throw .blank }
      try Self.check(characters)
      text = String(characters)
    }
    key = Self.key(ofTrimmed: text)
    guard key.text != Player.botName else { throw .bot }
  }

  /// Returns the key of a text that names a player; `nil` for a text that is too long for any name.
  /// The key of the bot's name is `Player.botName`.
  package static func key(of name: String) -> ExactText? {
    guard !isPlain(name) else {
      return name.utf8.count <= maxLength ? key(ofTrimmed: name) : nil
    }
    do throws(PlayerNameError) {
      return key(ofTrimmed: String(try trimmed(name)))
    } catch {
      return nil
    }
  }

  package static func isBlank(_ name: String) -> Bool {
    !isPlain(name) && name.unicodeScalars.allSatisfy(NameCharacter.isWhiteSpace)
  }

  /// Returns the characters of a name without the white space at its ends. Throws `tooLong` for
  /// more than `maxLength`, before anything costly: decomposing one character takes up to 1 µs.
  private static func trimmed(
    _ name: String
  ) throws(PlayerNameError) -> Substring.UnicodeScalarView {
    var characters = name.unicodeScalars[...]
    while let first = characters.first, NameCharacter.isWhiteSpace(first) {
      characters.removeFirst()
    }
    while let last = characters.last, NameCharacter.isWhiteSpace(last) { characters.removeLast() }
    let end = characters.endIndex
    let limit = characters.index(characters.startIndex, offsetBy: maxLength, limitedBy: end)
    guard limit ?? end == end else { throw .tooLong }
    return characters
  }

  private static func check(
    _ characters: Substring.UnicodeScalarView
  ) throws(PlayerNameError) {
    let kinds = characters.map { NameCharacter($0) }
    for index in kinds.indices {
      let (before, after) = (kinds[..<index], kinds[(index + 1)...])
      switch kinds[index] {
      case .visible, .blank, .emoji, .emojiModifier: break
      case .doubleQuote: throw .doubleQuote
      case .hidden: throw .invisible
      case .variationSelector:
        guard before.last == .emoji || before.last == .emojiModifier else { throw .invisible }
      case .joiner:
        guard before.last(where: { !$0.belongsToEmoji }) == .emoji,
          after.first(where: { !$0.belongsToEmoji }) == .emoji
        else { throw .invisible }
      }
    }
    guard kinds.contains(where: \.isVisible) else { throw .invisible }
  }

  private static func key(ofTrimmed name: String) -> ExactText {
    if isPlainKey(name) { return ExactText(name) }
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return ExactText(name.lowercased()) }
    var key = NameKey()
    for character in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
      key.append(character)
    }
    return ExactText(key.text)
  }

  /// Whether a name has only ASCII characters that are allowed in a name, and no white space at its
  /// ends. Nearly every name is like that. Looking up each character in the Unicode tables would
  /// take fifty times as long.
  private static func isPlain(_ name: String) -> Bool {
    let space = UInt8(ascii: " ")
    let isPlain = name.utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = bytes.first, first != space, bytes.last != space else { return false }
      return bytes.allSatisfy { $0 >= space && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }
    return isPlain ?? false
  }

  /// Whether a name is its own key: ASCII without capital letters.
  private static func isPlainKey(_ name: String) -> Bool {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let isPlain = name.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 < 0x80 && !capitals.contains($0) }
    }
    return isPlain ?? false
  }
}
