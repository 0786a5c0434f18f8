/// How long the texts of the protocol may be, in Unicode scalars.
package enum TextLimits {
  /// A player's name.
  package static let maxName = 24
  /// A line of chat.
  package static let maxRemark = 200
  /// A sentence for a person, as far as a client reads it.
  package static let maxSentence = 1_000
}
