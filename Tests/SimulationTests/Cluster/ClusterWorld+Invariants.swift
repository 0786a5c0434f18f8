import Foundation
@testable import Server
@testable import Shared

/// What must hold at any time.
extension ClusterWorld {
  /// No two nodes that may talk have the same match, the same session or the same name.
  func checkOwners() throws(ViolationError) {
    var owners: [String: String] = [:]
    var names: [String: String] = [:]
    for node in nodes where node.serves {
      guard let process = node.process, process.cluster.node.state.isAlive else { continue }
      for match in process.matches {
        if let other = owners.updateValue(node.name, forKey: match.id) {
          throw ViolationError("\(other) and \(node.name) both have the match \(match.id)")
        }
      }
      for session in process.sessions {
        // While the engine had lost the match, its player may have logged in again elsewhere.
        if case .playing(let match) = session.place, told.hasDropped(match.id) { continue }
        let name = session.name.text
        guard let other = names.updateValue(node.name, forKey: name) else { continue }
        throw ViolationError("\(other) and \(node.name) both have \(name)")
      }
    }
  }

  /// Nobody takes a match from a node that is well, and that the primary knows as its owner.
  func checkDeath(ofOwnerOf match: String, before claim: String) throws(ViolationError) {
    guard !isGift(claim) else { return }
    let entries = engine.primary.data.stream("j:\(match)")?.dropLast() ?? []
    let lastClaim = entries.last { $0.field("c") != nil }?.field("c")
    for node in nodes where node.isWell {
      guard let life = node.process?.cluster.node.life else { continue }
      let isOwner =
        lastClaim?.hasPrefix(life.text + " ")
        ?? match.hasPrefix(MatchID.digits(life.incarnation) + "-")
      try require(
        !isOwner || claim.hasPrefix(life.text + " "),
        "\(claim) takes \(match) from \(node.name), which is well")
    }
  }

  /// Whether the owner of a match has made a claim for another node.
  private func isGift(_ claim: String) -> Bool {
    let words = claim.split(separator: " ").map(String.init)
    return nodes.contains {
      $0.name != words.first && $0.process?.cluster.claims.nonce == words.last
    }
  }

  /// Bans end at all nodes at the same time, although the servers of the engine have clocks that
  /// differ.
  func checkClocks() throws(ViolationError) {
    let times = nodes.compactMap { $0.process?.cluster.clock.time }
    guard let first = times.min(), let last = times.max() else { return }
    try require(
      last.timeIntervalSince(first) < 2.1, "the nodes have different times: \(times)")
  }

  /// What was told stands in the streams.
  func checkStreams() throws(ViolationError) {
    for (match, lines) in told.all {
      let entries = engine.primary.data.stream("j:\(match)") ?? []
      let stored = Set(entries.flatMap(\.lines))
      for line in lines where !stored.contains(line.text) {
        guard !told.isExcused(line, of: match) else { continue }
        try excuse(line, of: match)
      }
      // The end may have been lost as well.
      try require(
        entries.isEmpty || entries.last?.field("x") != nil || told.hasLost(match),
        "the stream of \(match) has no end")
    }
  }

  /// A line that was told is lost. That may be only if a failover has dropped it, and its owner has
  /// died before it could send it again.
  func excuse(_ line: ToldLines.Line, of match: String) throws(ViolationError) {
    let others = engine.servers.filter { $0 !== engine.primary }
    let isDropped =
      told.isDropped(line.text, of: match)
      || others.contains {
        $0.data.stream("j:\(match)")?.contains { $0.lines.contains(line.text) } == true
      }
    try require(isDropped, "a line that was told was never stored: \(line.text)")
    let ends = nodes.compactMap { node in
      line.life.flatMap { $0.node == node.name ? node.end(of: $0) : nil }
    }
    guard let end = ends.first, let loss = engine.lossTime else {
      throw ViolationError("a line was lost, and its owner lives: \(line.text)")
    }
    try require(
      end < loss + .seconds(12), "a line was lost long before its owner: \(line.text)")
    note("excused: \(line.text)")
    count("lines lost with their owners")
    told.excuse(line, of: match)
  }
}
