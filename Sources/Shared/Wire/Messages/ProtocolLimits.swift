/// The upper bounds of the protocol, which both ends hold to. A character is a Unicode scalar.
///
/// What one server allows, which it states in its `hello`, is in `Limits`.
package enum ProtocolLimits {
  /// Bytes of a line that a client sends, without its LF.
  package static let maxCommandLine = 4_096
  /// Bytes of a line that the server sends, with its LF.
  package static let maxEventLine = 65_536
  /// Characters of a name.
  package static let maxNameLength = PlayerName.maxLength
  /// Characters of a chat message.
  package static let maxMessageLength = 200
  /// Characters of a sentence for a person, as far as a client reads it.
  package static let maxSentenceLength = 1_000
  /// Characters of an `id`.
  package static let maxIDLength = 32
  /// Size of an integer, 2^53 − 1: what every reader of JSON can hold.
  package static let maxInteger = (1 << 53) - 1
  /// Levels of objects and arrays in a line. The object of the line is the first.
  package static let maxDepth = 16
}
