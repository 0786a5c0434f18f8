import Shared

/// What the operator sees of the servers that are one server with this one to their clients, and
/// what happens there. Answers come on the loop's thread, at once or later.
///
/// `NoServerGroup` answers for a server that stands alone, `Cluster` for one of several. Nothing
/// else of the operator depends on which of them there is.
protocol ServerGroup: AnyObject {
  /// What this server does for the operators of the others.
  var operatorHost: (any ServerGroupHost)? { get set }
  /// Returns the name of this server, and those of the others that are alive.
  ///
  /// - Throws: `unavailable` at a server that stands alone.
  func members() throws(CommandError) -> (mine: String, others: [String])
  /// Puts the fields of `status` that only a server of a group has.
  func putStatus(to line: inout LineWriter)
  /// Announces a text at the others. The answer is whether there may be any.
  func announce(_ text: String, answer: @escaping CommandAnswer<Bool>)
  /// Disconnects a player who is not here. The answer is whether the player was logged in
  /// elsewhere. With `keepsSeat`, a registered player in a match comes back with the password. With
  /// `waits`, the answer comes when the player has left, and the last result is written.
  func kick(
    _ name: String, because reason: String?, keepsSeat: Bool, waits: Bool,
    answer: @escaping CommandAnswer<Bool>)
  /// Lets others carry out a command. `answer` gets the lines of those that have replied in time,
  /// by their names.
  func ask(_ line: String, of names: [String], answer: @escaping ([String: [UInt8]]) -> Void)
  /// Describes what keeps the data of the group, as lines and as fields of the reply to `cluster`.
  func describeEngine(
    answer: @escaping (_ lines: [UInt8], _ fields: @escaping AdminReply.Fields) -> Void)
  /// Moves a match to another server, from whichever has it. The answer is a sentence.
  func move(_ match: String, to name: String, answer: @escaping CommandAnswer<String>)
  /// Moves matches from here to other servers. The plan has the number of players for each of them.
  /// Returns the number of matches.
  func begin(_ plan: [(node: String, players: Int)]) -> Int
  /// Moves matches until each server has its share of the players. `statuses` are their lines for
  /// `status`. The answer is a sentence.
  func rebalance(_ statuses: [UInt8], answer: @escaping CommandAnswer<String>)
}

/// What the operators of the other servers ask of this one.
protocol ServerGroupHost: AnyObject {
  /// Takes up what was decided elsewhere.
  func take(_ decisions: OperatorRecord)
  func announceHere(_ text: String)
  /// Disconnects a player, and returns the name; `nil` if nobody here has it. With `keepsSeat`, a
  /// registered player in a match comes back with the password.
  @discardableResult
  func kickHere(_ name: String, because reason: String?, keepsSeat: Bool) -> String?
  /// Carries out a command for the operator of the server `name`. `answer` gets the lines of the
  /// reply, which call this server `mine`.
  func carryOut(
    _ line: String, at mine: String, for name: String, answer: @escaping ([UInt8]) -> Void)
}

/// For a server that stands alone.
final class NoServerGroup: ServerGroup {
  weak var operatorHost: (any ServerGroupHost)?

  private static let alone = CommandError(
    .unavailable, "This server stands alone: it is no node of a cluster.")

  func members() throws(CommandError) -> (mine: String, others: [String]) { throw Self.alone }

  func putStatus(to line: inout LineWriter) {}

  func announce(_ text: String, answer: @escaping CommandAnswer<Bool>) { answer(.success(false)) }

  func kick(
    _ name: String, because reason: String?, keepsSeat: Bool, waits: Bool,
    answer: @escaping CommandAnswer<Bool>
  ) {
    answer(.success(false))
  }

  func ask(_ line: String, of names: [String], answer: @escaping ([String: [UInt8]]) -> Void) {
    answer([:])
  }

  func describeEngine(
    answer: @escaping (_ lines: [UInt8], _ fields: @escaping AdminReply.Fields) -> Void
  ) {
    answer([]) { _ in }
  }

  func move(_ match: String, to name: String, answer: @escaping CommandAnswer<String>) {
    answer(.failure(Self.alone))
  }

  func begin(_ plan: [(node: String, players: Int)]) -> Int { 0 }

  func rebalance(_ statuses: [UInt8], answer: @escaping CommandAnswer<String>) {
    answer(.failure(Self.alone))
  }
}
