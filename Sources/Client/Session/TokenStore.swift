/// The player and the server of a session.
struct TokenOwner: Equatable {
  let address: ServerAddress
  let name: String
}

/// Where the session's token outlives this program: a file, or the browser of a visitor.
protocol TokenStore: AnyObject {
  /// A sentence that says why the last token is not kept; `nil` if it is, or if that is normal.
  var problem: String? { get }
  /// Whether another program that runs here holds the session whose token was asked for last.
  var isHeldElsewhere: Bool { get }

  /// The former token that was kept with the one that was taken last; `nil` if there was none.
  var former: String? { get }

  /// Returns the token of a session that goes on.
  func take(for owner: TokenOwner) -> String?

  /// Keeps a token, in place of the last one. `former` is that of an earlier session, whose match a
  /// server that is without its data does not know.
  func keep(_ token: String, former: String?, for owner: TokenOwner)

  /// Forgets the token, because the session is over.
  func discard()
}
