import Foundation
import Shared

/// The secret that a session is taken up again with: 128 random bits. It is good once, and is shown
/// to nobody but its session.
struct Token: Hashable {
  private let high: UInt64
  private let low: UInt64

  init(_ random: RandomSource) {
    high = random.next()
    low = random.next()
  }

  /// `nil` where the text is none that `text` answers.
  init?(_ text: String) {
    guard text.utf8.count == 22 else { return nil }
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    guard let bytes = Data(base64Encoded: base64 + "=="), bytes.count == 16 else { return nil }
    (high, low) = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    // The last character has four bits to spare.
    guard self.text == text else { return nil }
  }

  /// 22 characters of base64url (RFC 4648).
  var text: String {
    var bytes = Data()
    for word in [high, low] { withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) } }
    return bytes.base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Takes the same time wherever the two differ, so that no token can be guessed piece by piece;
  /// where a dictionary looks for one depends on a secret of the process.
  static func == (one: Token, other: Token) -> Bool {
    (one.high ^ other.high) | (one.low ^ other.low) == 0
  }
}
