import Foundation

extension String {
  /// The ends of the server's sentences that are vague about the time.
  private static let vagueEnds = ["again later.", "again in a moment.", "again."]

  /// Returns the server's sentence about a refusal with the time after which the server wants the
  /// command again, rounded up to seconds or minutes. A time below a second is left out, and so is
  /// one beside a sentence that states its own.
  func naming(_ retry: Duration?) -> String {
    guard let retry, retry >= .seconds(1),
      firstMatch(of: /[0-9] ?(s|min|seconds?|minutes?)\b/) == nil
    else { return self }
    let seconds = Int((retry / .seconds(1)).rounded(.up))
    let time = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    let end = Self.vagueEnds.first { hasSuffix($0) }
    return end.map { dropLast($0.count) + "again in \(time)." } ?? self + " Try again in \(time)."
  }
}
