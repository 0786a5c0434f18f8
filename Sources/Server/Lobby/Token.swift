import Foundation
import Shared

/// The secret that a session is taken up again with.
enum Token {
  /// 128 random bits, in the 22 characters of base64url (RFC 4648).
  static func make(_ random: RandomSource) -> String {
    var bytes = Data()
    for _ in 0..<2 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return bytes.base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
