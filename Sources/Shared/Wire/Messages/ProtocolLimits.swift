/// The upper bounds of the protocol, which both ends respect. A character is a Unicode scalar.
///
/// The limits that each server chooses, and states in its `hello`, are in `Limits`.
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
  /// Characters of the code with which a friend joins.
  package static let codeLength = 6
  /// Characters of a password.
  package static let passwordLength = 8...128
  /// Games in the reply to `history`.
  package static let maxHistoryItems = 50
  /// Players in the reply to `leaderboard`.
  package static let maxLeaderboardItems = 100
  /// Events in the reply to `replay`.
  package static let maxReplayEvents = 500
  /// Characters of an `id`.
  package static let maxIDLength = 32
  /// Absolute value of an integer, 2^53 − 1: every JSON parser can represent it.
  package static let maxInteger = (1 << 53) - 1
  /// Levels of objects and arrays in a line. The object of the line is the first.
  package static let maxDepth = 16
}
