import Shared

extension Attack {
  /// All attacks, in the order in which they are carried out.
  static var all: [Attack] { costs + connections + people + stalls + floods }

  static func flood(_ plan: Flood.Plan) -> (AttackerContext) -> any Attacker {
    { Flood(plan, context: $0) }
  }

  static func churn(_ plan: ConnectionChurn.Plan) -> (AttackerContext) -> any Attacker {
    { ConnectionChurn(plan, context: $0) }
  }

  /// A login under a name of its own for each connection.
  static let logIn: @Sendable (Int) -> [UInt8] = { Array("login pest-\($0)\n".utf8) }

  /// Sessions that lose their connection as soon as their match has begun.
  static func droppedMatches(
    atMost count: Int = AttackerContext.maxConnections
  ) -> (AttackerContext) -> any Attacker {
    churn(
      ConnectionChurn.Plan(
        bytes: { Array("login dropped-\($0)\nstart bot\n".utf8) },
        until: .received(["gameDidStart", "error", "bye"]), maxConnections: count))
  }
}
