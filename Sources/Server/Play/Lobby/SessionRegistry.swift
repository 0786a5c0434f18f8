import Foundation
import RIBs
import Shared

/// The current sessions: by name, by token, and in the order of their logins.
struct SessionRegistry {
  private var names: [ExactText: Session] = [:]
  private var tokens: [Token: Session] = [:]
  /// By the hashes of tokens that a process before has given out.
  private var storedTokens: [String: Session] = [:]
  private var order = SlotList<Session>()
  /// The `N` of each taken name `Player N`.
  private var numbers = IndexSet()

  var count: Int { order.count }

  /// All sessions in the order of their logins.
  var all: [Session] { order.elements }

  /// Returns the first sessions, up to `limit`.
  func first(_ limit: Int) -> [Session] { order.prefix(limit) }

  /// The session with the key of a name.
  subscript(name: ExactText) -> Session? { names[name] }

  /// The session that a token may resume.
  subscript(token: Token) -> Session? {
    if let session = tokens[token] { return session }
    return storedTokens.isEmpty ? nil : storedTokens[token.hash]
  }

  func contains(_ session: Session) -> Bool { names[session.name.key] === session }

  /// Adds a session whose name is free, also by its stored tokens.
  mutating func add(_ session: Session) {
    names[session.name.key] = session
    tokens[session.token] = session
    for token in session.storedTokens { storedTokens[token] = session }
    if let number = Self.number(of: session.name) { numbers.insert(number) }
    session.position = order.append(session)
  }

  /// Removes a session that was added.
  mutating func remove(_ session: Session) {
    names[session.name.key] = nil
    tokens[session.token] = nil
    if let spent = session.spentToken { tokens[spent] = nil }
    removeStoredTokens(of: session)
    if let number = Self.number(of: session.name) { numbers.remove(number) }
    order.remove(at: session.position) { $0.position = $1 }
  }

  /// Gives a session a new token. `token`, with which the session was resumed, becomes its spent
  /// token; the others are no longer valid.
  mutating func renewToken(of session: Session, resumedWith token: Token, to new: Token) {
    if token == session.token {
      if let spent = session.spentToken { tokens[spent] = nil }
      session.spentToken = token
    } else {
      tokens[session.token] = nil
    }
    if !session.storedTokens.isEmpty {
      removeStoredTokens(of: session)
      session.spentToken = token
      tokens[token] = session
    }
    session.token = new
    tokens[new] = session
  }

  /// From now on, the session has the token of this process.
  private mutating func removeStoredTokens(of session: Session) {
    for token in session.storedTokens { storedTokens[token] = nil }
    session.storedTokens = []
  }

  /// The lowest free `Player N`.
  var freeNumberedName: PlayerName {
    let fromOne = numbers.rangeView.first.flatMap { $0.lowerBound == 1 ? $0 : nil }
    do throws(PlayerNameError) {
      return try PlayerName("Player \(fromOne?.upperBound ?? 1)")
    } catch {
      preconditionFailure("Player N must be a valid name for every N: \(error).")
    }
  }

  /// Returns the `N` of a `Player N`; `nil` for other names, also for `Player 01`.
  private static func number(of name: PlayerName) -> Int? {
    let key = name.key.text
    guard key.utf8.starts(with: "player ".utf8), let number = Int(key.dropFirst(7)), number > 0,
      key == "player \(number)"
    else { return nil }
    return number
  }
}
