import Shared

/// Keeps the session's token in the browser of a visitor, for the origin of the page. When the tab
/// is gone, a new one with the same token goes on with the session.
final class BrowserTokens: TokenStore {
  let problem: String? = nil
  let isHeldElsewhere = false
  let former: String? = nil
  private var kept: BrowserSession?
  private let send: (BrowserSession?) -> Void

  /// `kept` is what the browser has sent. `send` sends what to keep.
  init(_ kept: BrowserSession?, send: @escaping (BrowserSession?) -> Void) {
    self.kept = kept
    self.send = send
  }

  func take(for owner: TokenOwner) -> String? {
    kept.flatMap { $0.name.lowercased() == owner.name.lowercased() ? $0.token : nil }
  }

  func keep(_ token: String, former: String?, for owner: TokenOwner) {
    kept = BrowserSession(token: token, name: owner.name)
    send(kept)
  }

  func discard() {
    kept = nil
    send(nil)
  }
}

/// A session that a browser keeps.
struct BrowserSession: Equatable {
  /// The maximum number of bytes of a token.
  static let maxToken = 128

  let token: String
  let name: String

  init(token: String, name: String) {
    (self.token, self.name) = (token, name)
  }

  /// Reads `TOKEN NAME`; returns `nil` for anything else.
  init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, (1...Self.maxToken).contains(words[0].utf8.count),
      words[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let name = try? PlayerName(String(words[1]))
    else { return nil }
    self.init(token: String(words[0]), name: name.text)
  }

  var text: String { "\(token) \(name)" }
}
