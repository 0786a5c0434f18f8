import Foundation
import Shared

extension String {
  /// The ends of the server's sentences that are vague about the time.
  private static let vagueEnds = ["again later.", "again in a moment.", "again."]

  /// Returns the server's sentence about a refusal with the time after which the server wants the
  /// command again, rounded up to seconds or minutes. A time below a second is left out, and so is
  /// one beside a sentence that states its own.
  func naming(_ retry: Duration?) -> String {
    guard let retry, retry >= .seconds(1),
      firstMatch(of: /([0-9]|\ba) ?(s|min|seconds?|minutes?)\b/) == nil
    else { return self }
    let end = Self.vagueEnds.first { hasSuffix($0) }
    return end.map { dropLast($0.count) + "again in \(retry.short)." }
      ?? self + " Try again in \(retry.short)."
  }
}
