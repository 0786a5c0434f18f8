import Foundation
import Shared

/// How many players a node has, and whether it takes more.
struct NodeLoad: Equatable {
  let node: String
  let players: Int
  let isDraining: Bool

  /// The largest difference between two nodes, in players, for which no match is moved.
  static let tolerance = 2

  /// Returns to which nodes each node should send players, and how many. Afterwards all nodes have
  /// about the same number, except those that drain, which have none.
  static func plans(
    for loads: [NodeLoad]
  ) -> [(from: String, to: [(node: String, players: Int)])] {
    let takers = loads.filter { !$0.isDraining }
    guard !takers.isEmpty else { return [] }
    let share = (loads.map(\.players).reduce(0, +) + takers.count - 1) / takers.count
    var room = takers.map { (node: $0.node, players: share - $0.players) }
      .filter { $0.players > 0 }
    var plans: [(from: String, to: [(node: String, players: Int)])] = []
    for load in loads.sorted(by: { $0.node < $1.node }) {
      var extra = load.isDraining ? load.players : load.players - share
      guard extra >= (load.isDraining ? 1 : tolerance) else { continue }
      var targets: [(node: String, players: Int)] = []
      for index in room.indices where extra > 0 && room[index].players > 0 {
        let count = min(extra, room[index].players)
        targets.append((room[index].node, count))
        room[index].players -= count
        extra -= count
      }
      if !targets.isEmpty { plans.append((load.node, targets)) }
    }
    return plans
  }
}

/// What a line for `status` has of that.
private struct NodeStatus: Decodable {
  let type: String
  let at: String
  let sessions: Int
  let draining: Bool
}

extension NodeLoad {
  /// Takes a node's line for `status`; `nil` for another line.
  init?(_ line: some Sequence<UInt8>) {
    guard let status = try? JSONDecoder().decode(NodeStatus.self, from: Data(line)),
      status.type == "status"
    else { return nil }
    self.init(node: status.at, players: status.sessions, isDraining: status.draining)
  }
}
